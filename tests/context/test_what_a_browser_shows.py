"""Hidden text goes as far as a browser hides it, and no further: tree construction, cascade, inheritance, grounds."""

from __future__ import annotations

import pytest

from firewall.context import sanitize
from firewall.context.calculated import calculated
from firewall.context.colours import colour, is_colour, transparent
from firewall.context.css import declarations
from firewall.context.css_values import is_valid
from firewall.context.media import USUAL, holds
from firewall.context.selectors import is_list

# Of each text all that says HID goes, and all that says SEEN stays.
MISNESTED = [
    "<span hidden><div></span>HID</div>",
    "<span style='display:none'><p></span>HID</p>",
    "<i hidden><table></i>HID</table>",
    "<div hidden><table><tr><td></div>HID</td></tr></table></div>SEEN",
    "<div hidden><button>HID</div>SEEN</button></div>",
    "<section hidden><svg>HID</section>SEEN</svg></section>",
    "<b hidden><div>HID</b>SEEN</div>",
    "<b><div hidden></b>HID</div>SEEN",
    "<p><b hidden>HID</p>HID</b>SEEN",
    "<b><i hidden>HID</b>HID</i>SEEN",
    "<p style='font-size:0'>HID<b>HID</p>SEEN",
    "<table><tr><td><b hidden>HID</td><td>SEEN</table>",
    "<table><tr style='display:none'><td>HID<tr><td>SEEN</table>",
    "<ul><li hidden>HID<li>SEEN</ul>",
    "<dl><dt hidden>HID<dd>SEEN</dl>",
    "<p hidden><span>HID<div>SEEN</div>",
    "<h1 hidden>HID</h2>SEEN",
    "<a hidden>HID<a>SEEN</a>",
    "<body hidden>HID</body>HID",
    "<svg hidden><text>HID</text><p>SEEN</p></svg>",
    "<svg><title>HID</title></svg>SEEN",
    "<blah hidden>HID</blah>SEEN",
    "<x:y style='display:none'>HID</x:y>SEEN",
    "<details hidden>HID</details>SEEN",
]
CASCADE = [
    *(
        f"<p style='{one}'>HID</p>"
        for one in (
            "display:none;display:x",
            "opacity:0;opacity:x",
            "visibility:hidden;visibility:x",
            "font-size:0;font-size:x",
            "color:transparent;color:x",
            "display:none;display:;",
            "display:none;x:(;display:block",
            "display:none;x:{;display:block}",
            "display:none;x:[;display:block]",
            'display:none;x:";display:block',
            "color:#fff;background-color:black;background:none",
        )
    ),
    "<p style='display:none;display:block'>SEEN</p>",
    "<p style='font-size:0;font:16px x'>SEEN</p>",
    "<p style='display:none;all:unset'>SEEN</p>",
    *(
        f"<style>p{{display:none}}{one}</style><p>HID</p>"
        for one in (
            "p{display:x}",
            "@supports (foo:bar){p{display:block}}",
            "@supports not (display:grid){p{display:block}}",
            "@font-face{p{display:block}}",
            "p,::foo(x){display:block}",
            "@layer a{p{display:block}}",
            "q{x:(}p{display:block}",
            "</style><style media=print>p{display:block}",
            "</style><style type=text/x>p{display:block}",
            "</style><style title=a></style><style title=b>p{display:block}",
            "</style><template><style>p{display:block}</style></template><style>",
        )
    ),
    "<style>q{color:red;</style><style>p{display:none}</style><p>HID</p>",
    "<style><!--\np{display:none}\n--></style><p>HID</p>",
    "<style>.menu{ span{display:none} }</style><span>SEEN</span><b class=menu><span>HID</span></b>",
    "<style>p{display:none}@supports (display:grid) and (not (foo:bar)){p{display:block}}</style><p>SEEN</p>",
]
INHERITED = [
    "<td style='font-size:0px'><div style='font-size:13px'>SEEN</div></td>",
    "<td style='font-size:0px'>HID<div style='font-size:13px'>SEEN</div>HID</td>SEEN",
    "<p style='font-size:0'><b style='font-size:2em'>HID</b></p>",
    "<ul style='visibility:hidden'><li style='visibility:visible'>SEEN</li><li>HID</li></ul>",
    "<style>.m{visibility:hidden}.m a{visibility:visible}</style><div class=m><a>SEEN</a></div>",
    "<div style='color:#fff'>HID<b style='color:black'>SEEN</b><i hidden>HID</i>HID</div>SEEN",
    "<div style='background:#fff;color:#fff'><b style='background:#000'>SEEN</b></div>",
    "<div style='background:#000;color:#fff'>SEEN<b style='background:#fff'>HID</b></div>",
    "<div style='color:transparent'><b style='color:black'>SEEN</b><a href=x>SEEN</a></div>",
    "<div style='text-indent:-9999px'><p style='text-indent:0'>SEEN</p></div>",
    "<svg><g fill=none><text fill=black>SEEN</text><text>HID</text></g></svg>",
    "<div style='display:none'><b style='display:block;visibility:visible'>HID</b></div>",
]
GROUNDS = [
    "<a class=btn style='color:#fff'>SEEN</a>",
    "<div class=hero><h1 style='color:white'>SEEN</h1></div>",
    "<table background=x.png><tr><td style='color:#fff'>SEEN</td></tr></table>",
    "<div style='background:url(x.png)'><b style='color:#fff'>SEEN</b></div>",
    "<div class=hero style='background:#fff'><b style='color:#fff'>HID</b></div>",
    "<style>.a{margin:0}</style><p class=a style='color:#fff'>HID</p>",
    "<p style='color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text'>SEEN</p>",
    "<p style='overflow:hidden;height:0;padding-top:56%'>SEEN</p>",
    *(
        f"<p style='{one}'>HID</p>"
        for one in (
            "color:#fff;background:#0000",
            "color:#fff;background:rgba(0,0,0,0)",
            "color:#fff;background:linear-gradient(black,black) 0 0/0 0",
            "color:red;background:currentcolor",
            "color:#f5f5f5",
            "color:papayawhip;background:#ffefd5",
            "color:hsl(0,0%,99%)",
            "color:light-dark(white,black)",
            "color:rgb(from red r g b / 0)",
            "color:color-mix(in srgb,red,transparent 100%)",
            "position:absolute;inset-inline-start:-9999px",
            "margin-inline-start:-9999px",
            "position:fixed;top:200vh",
            "opacity:calc(1 - 1)",
            "backface-visibility:hidden;transform:rotateY(180deg)",
            "mask-size:0 0;mask-image:url(x)",
        )
    ),
]


@pytest.mark.parametrize("raw", [*MISNESTED, *CASCADE, *INHERITED, *GROUNDS])
def test_hidden_text_goes_and_what_is_seen_stays(raw: str) -> None:
    text, findings = sanitize(raw)
    assert "HID" not in text
    assert text.count("SEEN") == raw.count("SEEN")
    assert ("html-hidden" in [f.rule for f in findings]) == ("HID" in raw)
    assert sanitize(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "<@U123> joined <#C123|general> <!here> and <!subteam^S1|us>",
        "Write <!-- to open a comment. The REST stays.",
        "한국어 \u115f\u1160\u11ba",
    ],
)
def test_what_is_no_markup_and_no_hidden_sign_stays(text: str) -> None:
    assert sanitize(text) == (text, ())


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("<p>Write <!-- HID", "Write "),
        ("<!-- HID", ""),
        ("Write <!-- HID --> on", "Write  on"),
        ("a\u115f\u1160b", "ab"),
    ],
)
def test_comments_of_a_page_and_fillers_among_letters_go(raw: str, left: str) -> None:
    assert sanitize(raw).text == left


def test_white_letters_on_a_ground_that_nobody_knows_are_told_of() -> None:
    (told,) = (f for f in sanitize("<a class=btn style='color:#fff'>Buy</a>").findings if f.rule == "html-faint")
    assert "not known" in str(told.evidence["how"])


def test_deep_and_wrong_nesting_takes_the_time_of_its_length() -> None:
    deep = 3000
    for raw in ("<b hidden><div></b>", "<p><b hidden>x</p>", "<li><span>", "<a hidden><div><a>", "<svg><p>", "<td><p>"):
        assert {f.rule for f in sanitize(raw * deep + "kept").findings} <= {"html-tag", "html-hidden"}


def test_values_are_judged_as_css_takes_them() -> None:
    good = {"display": "inline flex", "font": "italic 12px/1.5 a, b", "background": "url(x) 0 0 / cover red", "x": "y",
            "margin": "0 auto", "color": "var(--x)", "transform": "none", "clip-path": "inset(0) border-box",
            "font-size": "clamp(1rem, 2vw, 3rem)", "opacity": "inherit", "--z": ""}  # fmt: skip
    bad = {"display": "nothing", "font": "12px", "background": "reddish", "margin": "0 1 2", "color": "#12345",
           "transform": "turn(1)", "clip-path": "all", "font-size": "12", "opacity": "full", "y": ""}  # fmt: skip
    assert all(is_valid(key, value) for key, value in good.items())
    assert not any(is_valid(key, value) for key, value in bad.items())
    assert declarations("margin-inline:1px 2px;padding-block:3px") == {
        "margin-left": "1px", "margin-right": "2px", "padding-top": "3px", "padding-bottom": "3px",
    }  # fmt: skip
    assert holds("@layer a", USUAL)
    assert not holds("@starting-style", USUAL)
    assert [is_list(one) for one in ("a:hover, .b > c", "a,,b", "a:nope", ".1", "::-moz-x, a")] == [
        True, False, False, False, True,
    ]  # fmt: skip


def test_sums_and_colours() -> None:
    sums = {"calc(1px - 1px)": 0, "calc(2 * (3px + 1px) / 4)": 2, "clamp(0px, 5px, 3px)": 3, "calc(-1 * -2px": 2}
    assert {one: calculated(one) for one in sums} == sums
    assert [calculated(one) for one in ("calc(1 / 0)", "calc(x)", "calc(1 2)", "calc(" * 99)] == [None] * 4
    assert colour("#ABCDEF80") == (171, 205, 239)
    assert colour("#12345") is None
    assert colour("hsl(120deg 100% 50%)") == (0, 255, 0)
    assert colour("color-mix(in srgb, red, red 30%)") == (255, 0, 0)
    assert not transparent("rgb(0 0 0 / 50%)")
    assert not is_colour("colour")
