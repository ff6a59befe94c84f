"""Pure text machinery: words, Markdown spans, sentences, diffs. No effects, no clock, no imports of them."""
