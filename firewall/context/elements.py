"""Names of HTML, from the WHATWG HTML standard's index of elements and its obsolete features."""

from __future__ import annotations

KNOWN = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink "
    "blockquote body br button canvas caption center cite code col colgroup data datalist dd del details "
    "dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 "
    "h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li "
    "link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed "
    "noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rb "
    "rp rt rtc ruby s samp script search section select slot small source spacer span strike strong style "
    "sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var "
    "video wbr xmp".split()
)
"""Elements that a browser treats as markup."""

FOREIGN = frozenset(
    "animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix "
    "fecomposite feflood fegaussianblur feimage femerge femergenode feoffset filter foreignobject g image "
    "line lineargradient marker mask metadata mpath path pattern polygon polyline radialgradient rect set "
    "stop switch symbol text textpath tspan use view annotation annotation-xml maction menclose merror "
    "mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover semantics".split()
)
"""Elements that are markup inside `<svg>` or `<math>` only; elsewhere `<path>` is somebody's placeholder."""

BODY_GOES = frozenset("script style template noembed noframes iframe".split())
"""Elements whose body no reader sees, so it goes with the tags."""

RAW_TEXT = BODY_GOES | frozenset("noscript plaintext textarea title xmp".split())
"""Elements whose content the tokenizer does not read as markup, and the template."""

PLACEHOLDERS = frozenset(
    "address applet area article aside audio base body button canvas caption cite code col command "
    "content data dialog dir embed figure footer form frame head header html image "
    "img input label legend link main map mark menu meta meter object option output param picture progress "
    "search section select slot source style summary table template text time title track var video".split()
)
"""Names people write for "put yours here": `docker run <image>`. Bare, spaced and unclosed, they stay."""

BOOLEAN = frozenset(
    "allowfullscreen async autofocus autoplay checked compact contenteditable controls default defer "
    "disabled download formnovalidate hidden inert ismap itemscope loop multiple muted nomodule noshade "
    "novalidate nowrap open playsinline popover readonly required reversed selected".split()
)
"""Attributes that stand without a value."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label map mark nobr output q rb "
    "ruby s samp slot small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that stand within a word and do not part it; every other tag between two letters parts them."""

VOID = frozenset("area base basefont br col embed frame hr img input link meta param source track wbr".split())
"""Elements without a body."""

UNSEEN = frozenset(
    "dialog datalist audio video canvas progress meter mphantom defs symbol desc metadata clippath mask marker pattern "
    "annotation annotation-xml rp".split()
)
"""Elements whose text a browser does not show: a dialog until it is opened, the others never; of `<rp>` no words."""

_BLOCKS = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul"
)
CLOSES: dict[str, frozenset[str]] = {
    **dict.fromkeys(_BLOCKS.split(), frozenset(("p",))),
    "li": frozenset(("li", "p")),
    "dt": frozenset(("dt", "dd", "p")),
    "dd": frozenset(("dt", "dd", "p")),
    "td": frozenset(("td", "th", "p")),
    "th": frozenset(("td", "th", "p")),
    "tr": frozenset(("tr", "td", "th", "p")),
    "option": frozenset(("option",)),
    "a": frozenset(("a",)),
    "rt": frozenset(("rt", "rp")),
    "rp": frozenset(("rt", "rp")),
}
"""Open elements that a start tag closes when they are innermost (WHATWG, optional end tags)."""
