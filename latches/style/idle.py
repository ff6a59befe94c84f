"""What a style says that can do nothing: told to whoever wrote it, since each of it looks as if it did. Pure."""

from __future__ import annotations

from collections import Counter

from firewall.policy.style import Style
from firewall.text.markdown import parse
from latches.style.scan import Scanner


def idle(style: Style) -> list[str]:
    """A sentence for each part of `style` that has no effect, in the order of the style's keys."""
    scanner = Scanner(style)
    return [*_twice(style), *_alternatives(style, scanner), *_numbers(style)]


def _twice(style: Style) -> list[str]:
    out = [f'banned has "{name}" {count} times.' for name, count in Counter(style.banned).items() if count > 1]
    for name in dict.fromkeys(style.banned):
        if name.startswith("=") and name[1:] in style.banned:
            out.append(f'banned has "{name[1:]}", and "{name}", which is that form of it, besides.')
    both = [name for name in style.ceilings if name in style.banned]
    return out + [f'ceilings allows "{name}" {style.ceilings[name]}, and banned none.' for name in both]


def _alternatives(style: Style, scanner: Scanner) -> list[str]:
    out = []
    for name, instead in style.alternatives.items():
        if name not in scanner.rules and f"={name}" not in scanner.rules:
            out.append(f'alternatives has "{name}", of which no rule speaks.')
            continue
        for word in dict.fromkeys(instead):
            if not word.strip():
                out.append(f'An alternative for "{name}" is blank, and a word is never taken out for nothing.')
                continue
            held = {use.term for use in scanner.uses(parse(word))}
            same = held & {name, f"={name}"}
            banned = sorted(term for term in held if term in style.banned or style.ceilings.get(term) == 0)
            if same:
                out.append(f'The alternative "{word}" for "{name}" is that word again.')
            elif banned:
                out.append(f'The alternative "{word}" for "{name}" may not stand itself: "{banned[0]}".')
    return out


def _numbers(style: Style) -> list[str]:
    known = {word for words in style.alternatives.values() for word in words}
    return [f'number has "{word}", which is no alternative.' for word in style.number if word not in known]
