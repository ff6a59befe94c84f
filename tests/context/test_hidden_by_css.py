"""What style sheets and declarations hide goes, however they say so; what they only seem to hide stays."""

from __future__ import annotations

import time

import pytest

from firewall.context import sanitize
from firewall.context.css import Sheet, declarations, important, resolved

STYLES = [
    "--x:none;display:var(--x)",
    "display:var(--unset, none)",
    "opacity:calc(0)",
    "font-size:calc(0px)",
    "font-size:min(0px,1em)",
    "font-size:1%",
    "color:rgb(0 0 0 / 0)",
    "color:rgb(0 0 0 / 0%)",
    "color:#12345600",
    "color:hwb(0 100% 0%)",
    "color:lab(100 0 0)",
    "color:oklch(1 0 0)",
    "zoom:0.01",
    "scale:0",
    "transform:matrix(0,0,0,0,0,0)",
    "transform:rotateX(90deg)",
    "clip-path:inset(0 100% 0 0)",
    "clip-path:inset(50%)",
    "position:fixed;inset:0 0 0 -9999px",
    "position:absolute;left:9999px",
    "margin:0 0 0 -9999px",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "line-height:0;overflow:hidden",
    "max-block-size:0;overflow:clip",
    "transform:scale(0.0001)",
    "transform:scale3d(0,0,0)",
    "transform:scale(.2) scale(.2)",
    "transform:matrix(0.0001,0,0,1,0,0)",
    "transform:rotate3d(1,0,0,90deg)",
    "transform:rotateY(.25turn)",
    "rotate:x 90deg",
    "transform:translateX(9999px)",
    "translate:9999px 0",
    "margin-left:9999px",
    "text-indent:9999px;overflow:hidden;white-space:nowrap",
    "clip-path:polygon(50% 50%,50% 50%,50% 50%)",
    "clip-path:polygon(0 0,0 0,0 0)",
    'clip-path:path("M0 0")',
    "clip-path:circle(0.1px at 5px 5px)",
    "mask-image:linear-gradient(#0000,#0000)",
    "mask:linear-gradient(to right,transparent,rgba(0,0,0,0))",
    "font-size:clamp(0px,0px,0px)",
    "font-size:max(0px)",
    "color:color(srgb 1 1 1)",
    "color:color-mix(in srgb,white,white)",
    "color:Canvas",
    "background:url(x.png) black;color:black",
    "letter-spacing:-50px",
    "width:0;height:0;overflow:auto",
    "width:0;height:0;overflow:scroll",
]
SEEN = [
    "transform:scale(1.5)",
    "transform:scale(0.9,1)",
    "transform:translate(-50%,-50%)",
    "transform:matrix(1,0,0,1,0,0)",
    "transform:rotate(-90deg)",
    "transform:rotate3d(0,0,1,90deg)",
    "rotate:90deg",
    "rotate:z 90deg",
    "scale:none",
    "margin-left:200px",
    "clip:rect(0,0,0,0)",  # without a position it clips nothing
    "position:relative;clip:rect(0,0,0,0)",
    "text-indent:2em",
    "clip-path:polygon(0 0,100% 0,100% 100%)",
    'clip-path:path("M0 0H100V100H0Z")',
    "clip-path:circle(50%)",
    "mask-image:linear-gradient(black,transparent)",
    "font-size:clamp(1rem,2vw,3rem)",
    "font-size:max(1vw,10px)",
    "color:color(srgb 0 0 0)",
    "color:color-mix(in srgb,white,black)",
    "color:CanvasText",
    "background:url(x.png) white;color:black",
    "letter-spacing:-1px",
    "width:100px;overflow:auto",
]
SHEETS = [
    (":root{--h:none}.a{display:var(--h)}", "<p class=a>"),
    ("[data-x]{display:none}", "<p data-x>"),
    ('p[class~="q"]{display:none}', "<p class='v q'>"),
    ('[id^="ad-"]{display:none}', "<p id=ad-7>"),
    ("p:not(.v){display:none}", "<p>"),
    ("p:not([title]){display:none}", "<p class=x>"),
    (":is(.a,.b) {display:none}", "<p class=b>"),
    ("div :where(.a, .b).c{display:none}", "<div><p class='b c'>"),
    (".a{color:red; &.b{display:none}}", "<p class='a b'>"),
    (".a{display:none!important}", "<p class=a style='display:block'>"),
    ("#i{display:none}.a{display:block}", "<p class=a id=i>"),
]


@pytest.mark.parametrize("style", STYLES)
def test_a_declaration_that_hides_is_read(style: str) -> None:
    assert sanitize(f'Before. <p style="{style}">secret</p> After.').text == "Before.  After."


@pytest.mark.parametrize(("css", "tag"), SHEETS)
def test_a_rule_that_hides_is_read(css: str, tag: str) -> None:
    assert sanitize(f"<style>{css}</style>Before. {tag}secret</p> After.").text == "Before.  After."


@pytest.mark.parametrize(
    ("css", "tag"),
    [
        ("p:not(.v){display:none}", "<p class=v>"),
        ("[data-x=on]{display:none}", "<p data-x=off>"),
        ("p::before{display:none}", "<p>"),
        ("p:hover{display:none}", "<p>"),
        ("li:first-child{display:none}", "<p>"),
        (".a{display:none}#i{display:block}", "<p class=a id=i>"),
        (".a{display:none}", "<p class=a style='display:block!important'>"),
        (".a{display:none}.a{display:block!important}.a{display:none}", "<p class=a>"),
        ("", "<p style='color:rgb(255,0,0)'>"),
        ("", "<p style='color:hsl(0 50% 50% / 100%)'>"),
        ("", "<p style='margin:0 auto;font-size:90%'>"),
        ("", "<p style='clip-path:inset(10% 20%)'>"),
        ("", "<p style='display:var(--unset)'>"),
        ("", "<p style='width:calc(100% - 2em);overflow:hidden'>"),
    ],
)
def test_what_is_not_hidden_stays(css: str, tag: str) -> None:
    assert "shown" in sanitize(f"<style>{css}</style>Before. {tag}shown</p> After.").text


def test_declarations_and_custom_properties() -> None:
    assert declarations("a:1;A:2 !important;a:3") == {"a": "2"}
    assert important("a:1;b:2!important") == {"b": "2"}
    assert resolved({"--a": "var(--b)", "x": "var(--a)"}, {"--b": "y"})["x"] == "y"
    assert len(resolved({"--a": "var(--a) var(--a)", "x": "var(--a)"}, {})["x"]) < 5000


@pytest.mark.parametrize(
    "css",
    [
        ".a," * 60_000 + ".b{display:none}",
        ":is(" * 200_000 + ".a{display:none}",
        ":is(.a,.b)" * 30_000 + "{display:none}",
        "[a=" * 200_000 + "{display:none}",
        ":not(.a)" * 40_000 + "{display:none}",
        "a " * 300_000 + "{display:none}",
        ".a{--x:" + "var(--x)" * 50_000 + "}",
        "{" * 300_000,
    ],
)
def test_a_hostile_sheet_takes_linear_time(css: str) -> None:
    began = time.process_time()
    Sheet(css)
    sanitize(f"<style>{css}</style><p class=a>x</p>")
    assert time.process_time() - began < 30


MANY = 3000
QUADRATIC = [
    "<style>.a,.b{color:red}</style><p class=a>" * MANY,
    "<style>" + "".join(f".a:not(.x{i}){{color:red}}" for i in range(MANY)) + "</style>" + "<p class=a>" * MANY,
    "<style>"
    + "".join(f".a:not(.x{i}){{color:red}}" for i in range(MANY))
    + "</style>"
    + "".join(f"<p class='a y{i}'>" for i in range(MANY)),
    "<style>.a{" + "".join(f"m{i}:0;" for i in range(MANY)) + "}</style>" + "<p class=a>" * MANY,
]


@pytest.mark.parametrize("raw", QUADRATIC)
def test_a_sheet_whose_rules_meet_every_element_is_judged_or_refused_in_seconds(raw: str) -> None:
    began = time.process_time()
    findings = sanitize(raw).findings
    assert time.process_time() - began < 12
    limits = [f.evidence["limit"] for f in findings if f.rule == "limit"]
    assert limits in ([], ["styles"])


def test_a_large_honest_page_is_not_refused() -> None:
    rules = "".join(f".c{i}{{color:#123;margin:{i}px;padding:1px;border:0}}.c{i} p{{top:1px}}" for i in range(600))
    page = "".join(f"<div class='c{i % 600} d{i}'><p>{i}</p></div>\n" for i in range(3000))
    text, findings = sanitize(f"<style>*{{box-sizing:border-box}}{rules}</style>{page}")
    assert "2999" in text
    assert not [f for f in findings if f.rule == "limit"]


@pytest.mark.parametrize("style", SEEN)
def test_what_moves_turns_or_clips_in_part_stays(style: str) -> None:
    assert sanitize(f"<p style='{style}'>words</p>").text == "words"


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("<body text=white><p>gone", ""),
        ("<svg width=0 height=0><text>gone</text></svg>kept", "kept"),
        ("<ruby>漢<rp>GONE WORDS</rp></ruby>", "漢"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<foo-bar style='display:none'>gone</foo-bar>kept", "kept"),
        ("<foo-bar hidden>a<foo-bar>b</foo-bar></foo-bar>kept", "kept"),
        ("<style>.z{display:none}</style><foo-bar class=z>gone</foo-bar>kept", "kept"),
        ("<foo-bar class=z>kept</foo-bar>", "<foo-bar class=z>kept</foo-bar>"),
        ("Put <my-name> and <your-key> here.", "Put <my-name> and <your-key> here."),
    ],
)
def test_elements_that_a_browser_does_not_show_go_and_names_for_the_reader_stay(raw: str, left: str) -> None:
    assert sanitize(raw).text == left
    assert sanitize(left).text == left


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print{.a{display:none}}",
        "@media(max-width:600px){.a{display:none}}",
        "@media screen and (min-width: 40em){.a{display:none}}",
        "@media (width >= 900px){.a{display:none}}",
        "@media (prefers-color-scheme: dark){.a{color:white}}",
        ".a{display:none}@media(min-width:600px){.a{display:block}}",
        "@media not screen{.a{display:none}}",
    ],
)
def test_what_some_screen_shows_stays(sheet: str) -> None:
    assert sanitize(f"<style>{sheet}</style><p class=a>words</p>").text == "words"


@pytest.mark.parametrize(
    "sheet",
    [
        "@media screen{.a{display:none}}",
        "@media all{.a{display:none}}",
        "@media(min-width:1px){.a{display:none}}",
        "@media(max-width:599px){.a{display:none}}@media(min-width:600px){.a{opacity:0}}",
        "@media (0 <= width <= 99999px){.a{display:none}}",
        "@media not print{.a{display:none}}",
        "@supports (display:grid){.a{display:none}}",
        "@media print{.b{color:red}}.a{display:none}",
    ],
)
def test_what_no_screen_shows_goes(sheet: str) -> None:
    assert sanitize(f"<style>{sheet}</style><p class=a>words</p>kept").text == "kept"


def test_an_element_like_another_but_for_what_a_rule_asks_is_judged_for_itself() -> None:
    raw = "<style>p:not([title]){display:none}</style><p>gone</p><p title=x>kept</p><p>gone</p>"
    assert sanitize(raw).text == "kept"


def test_a_rule_for_what_stands_inside_something_hides_only_there() -> None:
    sheet = "<style>.nav .x{display:none} #top > p.y{opacity:0} body .z{display:none}</style>"
    raw = "<p class=x>kept</p><div class='nav big'><p class=x>gone</p></div><p class=x>kept</p>"
    assert sanitize(sheet + raw).text == "keptkept"
    assert sanitize(sheet + "<p class=y>kept</p><div id=top><p class=y>gone</p></div>").text == "kept"
    assert sanitize(sheet + "<p class=z>gone</p>").text == ""
