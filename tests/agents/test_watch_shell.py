"""What shells have done to people's files, under the watch: each comes back (issues that users reported of agents)."""

from __future__ import annotations

import shutil
import subprocess

from stet_kit import Book, chapter, no_leftovers
from watch_kit import Watching, git

COMMANDS = {
    "empty": "cat /dev/null > FILE",
    "clobber": "set -o noclobber; echo x >| FILE",
    "tee": "echo 'To be continued.' | tee FILE",
    "heredoc": "cat > FILE <<'END'\n# Stub\n\nThe rest is unchanged.\nEND",
    "truncate": "truncate -s 100 FILE",
    "dd": "dd if=/dev/zero of=FILE bs=10 count=1 conv=notrunc",
    "copy": "printf 'Ten words stand in this file and nothing more now.' > other; cp other FILE",
    "move": "echo new > other.tmp; mv other.tmp FILE",
    "nul": "perl -i -pe 's/harbour/har\\0bour/' FILE",
    "python": "python3 -c \"open('FILE', 'w').write('x')\"",
    "sed": "sed -i '20,$d' FILE",
    "remove": "rm -f FILE",
    "folder": "d=$(dirname FILE); rm -rf $d; mkdir $d",
    "swap": "d=$(dirname FILE); mv $d $d.old; mkdir $d; echo other > FILE; rm -r $d.old",
    "link": "rm FILE; ln -s /etc/hostname FILE",
    "instead": "rm FILE; mkdir FILE",
}


def test_what_a_shell_breaks_comes_back(book: Book) -> None:
    texts = {name: chapter(1200, seed=number) for number, name in enumerate(COMMANDS)}
    for name, text in texts.items():
        assert b"harbour" in text
        book.put(f"{name}/chapter.md", text)
    with Watching(book) as watch:
        for name, command in COMMANDS.items():
            subprocess.run(
                ["bash", "-c", command.replace("FILE", f"{name}/chapter.md")], cwd=book.root, check=True, timeout=60,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            watch.await_event("restored", f"{name}/chapter.md")
            path = book.root / name / "chapter.md"
            assert not path.is_symlink(), name
            assert path.read_bytes() == texts[name], name
        waits = book.user.quick("pending", "--json", cwd=book.root).json()
        assert {c["path"].split("/")[0] for c in waits} == set(COMMANDS), "each waits for a person"
    kept = no_leftovers(book.root)
    assert all(name.startswith("link/") and name.endswith(".aside") for name in kept), "what stood in the way is kept"


def test_a_repository_that_is_removed_takes_nothing_with_it(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    git(book.root, "init", "-q", "-b", "main")
    git(book.root, "add", ".")
    git(book.root, "commit", "-qm", "one")
    with Watching(book) as watch:
        git(book.root, "checkout", "-q", "--orphan", "fresh")
        git(book.root, "rm", "-rqf", ".")
        shutil.rmtree(book.root / ".git")
        said = {line["path"]: line["event"] for line in watch.said() if "path" in line}
        assert said["chapter.md"] == "restored"
        assert path.read_bytes() == text
        assert (book.root / "stet.toml").exists()
