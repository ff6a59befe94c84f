"""What a call costs. The prices are genai-prices' data, shipped in its wheel: nothing is fetched.

Sharp edges: its `input_tokens` includes cached tokens where Anthropic's does not, and some models'
prices depend on the prompt's length, so a worst case is a price for the whole call and never a rate
times a count.
"""

from __future__ import annotations


def cost_usd(
    model: str, *, input_tokens: int, output_tokens: int, cache_read: int = 0, cache_write: int = 0
) -> float | None:
    """US dollars for one call, or None where no price is known.

    `input_tokens` is everything that was read, cached or not; `cache_read` and `cache_write` are parts of it.
    """
    from genai_prices import Usage, calc_price

    usage = Usage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cache_read_tokens=cache_read,
        cache_write_tokens=cache_write,
    )
    try:
        return float(calc_price(usage, model_ref=model, provider_id="anthropic").total_price)
    except LookupError:
        return None


def most_tokens(*texts: str) -> int:
    """More tokens than `texts` can be: a token is a byte at least, and a request's envelope is small."""
    return sum(len(text.encode("utf-8", "replace")) for text in texts) + 2_000
