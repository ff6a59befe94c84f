"""figure: a picture with words for those who cannot see it.

Satisfied by one image, in Markdown or as `<img>`, with a target and an alternative text of `words` words or more. A
file name as the alternative text is none.
"""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node
from latches.checks.html import tags
from latches.elements.base import Detection, Options, Tries, number, plain_words, plural

NAME = "figure"
OPTIONS: Options = {"words": 3}
_FILE_NAME = re.compile(r"^\S+\.(?:png|jpe?g|gif|svg|webp|avif)$", re.IGNORECASE)


def needs(options: Options = OPTIONS) -> str:
    """The smallest thing that satisfies the element."""
    count = plural(number(options, "words"), "word")
    return f"an image whose alternative text has {count} or more: ![what it shows](file)"


def detect(doc: Document, options: Options = OPTIONS) -> Detection:
    """Find the element; the module says what counts."""
    tries = Tries("image", "images")
    least = number(options, "words")
    images = [(node, node.plain().strip(), str(node.attrs["dest"])) for node in doc.find("image")]
    for tag in tags(doc):
        if tag.name == "img":
            node = Node("image", tag.start, tag.end, {})
            images.append((node, tag.attrs.get("alt", "").strip(), tag.attrs.get("src") or tag.attrs.get("srcset", "")))
    for node, text, dest in sorted(images, key=lambda image: image[0].start):
        miss = None
        if not dest:
            miss = "the image has no target"
        elif _FILE_NAME.match(text):
            miss = "the alternative text is a file name"
        elif plain_words(text) < least:
            miss = f"the alternative text has {plural(plain_words(text), 'word')}; {least} are needed"
        tries.look(node, miss)
    return tries.detection(doc, "there is no image")


PASS = (
    "![the queue over one night](queue.png)\n",
    'Text ![the queue over one night](a/b.svg "Queue") text.\n',
    "![the queue over one night][q]\n\n[q]: queue.png\n",
    "> ![the queue over one night](queue.png)\n",
    "- ![the queue over one night](queue.png)\n",
    "[![the queue over one night](queue.png)](big.png)\n",
    "![](x.png)\n\n![the queue over one night](queue.png)\n",
    '<figure><img src="queue.png" alt="the queue over one night"><figcaption>A queue</figcaption></figure>\n',
    "![the **queue** over `one` night](<my queue.png>)\n",
)
FAIL = (
    "",
    "![](queue.png)\n",
    "![queue](queue.png)\n",
    "![queue_over_one_night.png](queue.png)\n",
    "[the queue over one night](queue.png)\n",
    "`![the queue over one night](queue.png)`\n",
    "![the queue over one night]\n",
    "![the queue over one night]()\n",
    "\\![the queue over one night](queue.png)\n",
    '<img src="queue.png" alt="queue">\n',
    '<!-- <img src="queue.png" alt="the queue over one night"> -->\n',
    '<img alt="the queue over one night">\n',
)
