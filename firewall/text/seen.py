"""What a reader sees of a Markdown text, gathered piece by piece as the parser comes by. Pure."""

from __future__ import annotations

from firewall.text.sight import Sight


class Seen:
    """Gathers what a reader sees, the text of each note apart: one that nothing shown refers to is not there.

    `into` takes the prose that comes next: the body, a note, or what is thrown away since nobody sees it.
    """

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.into: list[str | tuple[str]] = []
        self._images = 0
        self._body = self.into
        self._notes: dict[str, list[str | tuple[str]]] = {}
        self._stack = [self._body]
        self._refers: dict[int, list[str]] = {}
        self._unread: list[object] = []  # kept, so that no other list takes the identity of one

    def _turn(self) -> None:
        self.into = [] if self._images or self.sight.hidden else self._stack[-1]

    def html(self, text: str) -> None:
        """A piece of HTML."""
        seen = self.sight.feed(text)
        if seen and not self._images:
            self._stack[-1].append(seen)
        self._turn()

    def open_image(self) -> None:
        """What follows is the text that stands for an image."""
        self._images += 1
        self._turn()

    def close_image(self) -> None:
        """The image ends."""
        self._images -= 1
        self._turn()

    def refer(self, label: str) -> None:
        """A reference to a note."""
        if self.into is self._stack[-1]:
            self._refers.setdefault(id(self.into), []).append(label)

    def open_note(self, label: str) -> None:
        """What follows is a note's; of two notes with one label the first counts."""
        note: list[str | tuple[str]] = []
        if self._notes.setdefault(label, note) is note:
            self._stack[-1].append((label,))
        else:
            self._unread.append(note)
        self._stack.append(note)
        self._turn()

    def close_note(self) -> None:
        """The note ends."""
        self._stack.pop()
        self._turn()

    def text(self) -> str:
        """All that is seen, notes where they are defined."""
        reached: set[str] = set()
        todo = [self._body]
        while todo:
            for label in self._refers.get(id(todo.pop()), ()):
                if label not in reached and label in self._notes:
                    reached.add(label)
                    todo.append(self._notes[label])
        if not self._notes:
            return "".join(self._body)  # type: ignore[arg-type]  # nothing but text
        out: list[str] = []
        stack = [iter(self._body)]
        while stack:
            for piece in stack[-1]:
                if isinstance(piece, str):
                    out.append(piece)
                elif piece[0] in reached:
                    out.append("\n\n- ")
                    stack.append(iter(self._notes[piece[0]]))
                    break
            else:
                stack.pop()
        return "".join(out)
