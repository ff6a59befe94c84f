"""What a parser takes for text and an author does not: no finding there, and no edit."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules

from firewall.policy.style import Style
from latches.style import scan
from pipeline.micropass import polish

STYLE = Style(banned=["leverage"], alternatives={"leverage": ["use"]})


@pytest.mark.parametrize(
    "span",
    [
        *(f"<{n}>leverage</{n}>" for n in "code kbd samp var pre script style tt svg textarea CODE".split()),
        "<math><mi>leverage</mi></math>",
        '<code class="x">a <b>leverage</b></code>',
        "<code>a <code>b</code> leverage</code>",
        "[[leverage]]",
        "[[leverage|a]]",
        "![[a|leverage]]",
        "{{ leverage }}",
        "{{ a | leverage }}",
        "{{< leverage >}}",
        "{% leverage %}",
        "{# leverage #}",
        "<% leverage %>",
    ],
)
@pytest.mark.parametrize("around", ["We leverage {} it.\n", "# We leverage {}\n", "| We leverage {} |\n|---|\n"])
def test_names_and_code_are_not_words(span: str, around: str) -> None:
    text = around.replace("{}", span.replace("|", "\\|") if around[0] == "|" else span, 1)
    (hit,) = scan(text, STYLE)
    assert text[hit.start : hit.end] == "leverage"
    assert hit.start == text.index("leverage")
    assert polish(text, STYLE, by_rules()).text == text.replace("leverage", "use", 1)


def test_what_a_wiki_link_shows_is_the_authors() -> None:
    assert len(scan("| We leverage [[a\\|leverage]] |\n|---|\n", STYLE)) == 2
    text = "We leverage [[a|leverage]] it.\n"
    assert polish(text, STYLE, by_rules()).text == text.replace("leverage", "use")


def test_an_element_that_is_not_closed_reaches_to_the_end_of_its_block() -> None:
    assert len(scan("- <code>leverage\n- leverage\n", STYLE)) == 1


@pytest.mark.parametrize(
    "text", ["`<code>` we leverage `</code>`.\n", "`{{` we leverage `}}`.\n", "<codex>we leverage</codex>\n"]
)
def test_signs_in_code_and_other_elements_hide_nothing(text: str) -> None:
    assert len(scan(text, STYLE)) == 1


@pytest.mark.parametrize("answer", ["We use <kbd>it</kbd> and [[b]].", "We use <kbd>a</kbd> and [[c]].", "We use a."])
def test_an_answer_keeps_them(answer: str) -> None:
    text = "We leverage <kbd>a</kbd> and [[b]].\n"
    done = polish(text, STYLE, Scripted(answer, answer, answer))
    assert done.text == text
    assert done.findings


@pytest.mark.parametrize(
    "text",
    [
        # programs of MDX
        "export const a = {\n  a: 1,\n\n  leverage: 2\n}\n\nWe {} it.\n",
        "export function f() {\n\n  return leverage\n}\n\nWe {} it.\n",
        "export const t = `a\n\nleverage`\n\nWe {} it.\n",
        "import {\n\n leverage\n\n} from 'x'\n\nWe {} it.\n",
        "import leverage from './leverage'\r\nexport const leverage = 1\r\n\r\nWe {} it.\r\n",
        "\ufeffimport leverage from './leverage'\n\nWe {} it.\n",
        "We {} it.\n\n{/*\n\nleverage\n\n*/}\n",
        # template blocks
        "{% highlight py %}\nleverage = 1\n\nleverage()\n{% endhighlight %}\n\nWe {} it.\n",
        "{{< highlight py >}}\nleverage = 1\n{{< /highlight >}}\n\nWe {} it.\n",
        "{% comment %}\nleverage\n\nleverage\n{% endcomment %}\n\nWe {} it.\n",
        # MyST, math, TeX
        "(leverage)=\n# We {} it\n",
        ":::{figure} a.png\n:name: leverage\n\nWe {} it.\n:::\n",
        ":::{code-block} py\nleverage = 1\n\nleverage\n:::\n\nWe {} it.\n",
        "$$\nx\n$$ (leverage)\n\nWe {} it.\n",
        "% leverage\n\nWe {} it.\n",
        "\\begin{align}\nleverage &= 1\n\\end{align}\n\nWe {} it.\n",
        "$$\na\n\nleverage\n$$\n\nWe {} it.\n",
        "\\[ a\n\nleverage\n\\]\n\nWe {} it.\n",
        # HTML
        "We {} it.\n\n<code>\n\nleverage\n\n</code>\n\nWe {} it.\n",
        "We {} it.\n\n<div><code>\n\nleverage\n",
        "<template>\n\nleverage\n\n</template>\n\nWe {} it.\n",
        "A <span translate=no>leverage</span> is what we {}.\n",
        "The word <q>leverage</q> is what we {}.\n",
        "He said <q>we {} it every day</q> to us.\n",
        # front matter and marks of other dialects
        "<!-- x -->\n---\ntitle: leverage\n---\n\nWe {} it.\n",
        "Title: leverage\nTags: leverage\n\nWe {} it.\n",
        "We {} it. ^leverage\n",
        "We {} it :leverage: now.\n",
        "*[leverage]: x\n\nWe {} it.\n",
        "> [!leverage]\n> We {} it.\n",
        "!!! leverage\n    We {} it.\n",
        "Set %leverage% and {} it.\n",
        "We {} leverage>=2, x->leverage, leverage#12 and kubernetes.io/leverage.\n",
    ],
)
def test_what_publishes_the_document_reads_on_where_the_parser_stops(text: str) -> None:
    style = Style(banned=["leverage"], alternatives={"leverage": ["use"]}, quotes=True)
    source = text.replace("{}", "leverage")
    hits = scan(source, style)
    assert len(hits) == text.count("{}")
    assert polish(source, style, by_rules()).text == text.replace("{}", "use")


@pytest.mark.parametrize(
    "text",
    [
        "Export the leverage {now}.\n\nWe leverage it.\n",
        "import taxes rise\n\nWe leverage it.\n",
        "```\n{% raw %}\n```\n\nWe leverage it.\n\n```\n{% endraw %}\n```\n",
        "`{/*` we leverage `*/}`.\n",
        "It costs $$ a day.\n\nWe leverage it for $$ more.\n",
        "```\n<code>\n```\n\nWe leverage it.\n",
        ":warning: We leverage it.\n",
        "At 10:20:30 we leverage it: all of it.\n",
        "(we leverage it) = good.\n",
        "Note: we leverage it.\nMore: all of it.\n",
        "We leverage 5 % of it.\n",
        ":::{note} We leverage it\n:::\n",
        "\\begin{quote}\nWe leverage it.\n\\end{quote}\n",
    ],
)
def test_prose_beside_such_signs_is_read(text: str) -> None:
    assert scan(text, STYLE)


@pytest.mark.parametrize(
    "text", ["We leverage {leverage} now.\n", "We eat {'}' + leverage}.\n", "We eat {/* } */ leverage} now.\n"]
)
def test_a_program_in_braces_stays_whatever_stands_beside_it(text: str) -> None:
    assert polish(text, STYLE, by_rules()).text == text


@pytest.mark.parametrize("link", ['[x]({{< ref "a.md#leverage-it" >}})', "See [Leverage it].", "See [Leverage it][]."])
def test_a_heading_that_another_dialect_links_stays(link: str) -> None:
    text = f"{link}\n\n## Leverage it\n\nOil.\n"
    assert "## Leverage it" in polish(text, STYLE, by_rules()).text
    assert "## Use it" in polish(text.replace(link, "See [it](b.md)."), STYLE, by_rules()).text
