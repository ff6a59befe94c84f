"""What was written from a lane is of that lane: a book's output as another book's source, whatever it is called."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from book_kit import NO_BEAT, here

from firewall.errors import NeedsPerson
from firewall.text.words import words
from firewall.writes import operator
from firewall.writes.project import state_home
from firewall.writes.proxy import WriteProxy
from pipeline.taint import Quote, Written, carried

SECRET = "The patient Alvina Morrow of bed four takes nine tablets of warfarin every night at eight."
WARD = f"""\
# Ward

{SECRET} The nurse of the night counts the tablets twice before the patient sleeps and writes the number down.

A patient who wakes asks for water first, and the nurse who brings it looks at the tablets again. What is left over
goes back to the cupboard in the morning, where the day shift counts it for a third time.
"""
PLAIN = "The queue is a table in the database and every worker claims one batch of jobs from it."
QUEUE = f"""\
# Queue

{PLAIN} A worker that dies gives its batch back when the lease of the table ends, which takes half a minute.

The table is small while the worker keeps up, and nobody looks at it. When the queue grows past a thousand jobs the
pager rings, and whoever is on call adds another worker before anything else is tried.
"""
BOOK = """\
title = "{title}"
lane = "{lane}"
{sources}
[structure]
words = 140

[[chapters]]
title = "Work"
sections = [{{ title = "The queue", query = "queue table patient tablets worker" }}]
"""


def book(folder: Path, title: str, lane: str, *sources: tuple[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    entries = "".join(f'\n[[sources]]\nfiles = ["{glob}"]\nlane = "{name}"\n' for glob, name in sources)
    (folder / "book.toml").write_text(BOOK.format(title=title, lane=lane, sources=entries))
    return folder


def project(folder: Path, lanes: str = "[lanes.public]\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    policy = f'[project]\nid = "{os.urandom(8).hex()}"\n\n{lanes}\n[lanes.medical]\nreads = ["medical", "public"]\n'
    (folder / "stet.toml").write_text(f"{policy}\n[style]\n{NO_BEAT}")
    return folder


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a project `p` whose medical book was run from a medical and a public note."""
    base = tmp_path_factory.mktemp("taint")
    with pytest.MonkeyPatch.context() as patch:
        _at(base, patch)
        clinic = book(
            project(base / "p") / "clinic", "Clinic", "medical", ("notes/*.md", "medical"), ("pub/*.md", "public")
        )
        (clinic / "notes").mkdir()
        (clinic / "pub").mkdir()
        (clinic / "notes/ward.md").write_text(WARD)
        (clinic / "pub/queue.md").write_text(QUEUE)
        status, out, err = here("run", str(clinic), "--json")
        assert status == 0, err
        (line,) = json.loads(out)["list"]
        assert line["lanes"] == ["medical", "public"]
        assert line["index_version"] == json.loads(out)["index_version"] != ""
        written = (clinic / "out/01-work.md").read_text()
        assert "Alvina Morrow" in written
        assert "every worker claims" in written
    return base


def _at(base: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("XDG_STATE_HOME", str(base / "state"))
    patch.setenv("XDG_CONFIG_HOME", str(base / "config"))


@pytest.fixture
def base(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ran, tmp_path / "b")
    for note in (tmp_path / "b/config").rglob("*.json"):
        note.unlink()  # they tell of the first place
    _at(tmp_path / "b", monkeypatch)
    return tmp_path / "b"


def _copied(base: Path, folder: Path) -> str:
    shutil.copy(base / "p/clinic/out/01-work.md", folder / "from-me.md")
    return "from-me.md"


def _one_sentence(folder: Path) -> str:
    loud = SECRET.upper().replace("O", "O\u200b")
    (folder / "own.md").write_text(f"# Own\n\nA person wrote this line.\n\nAnd: {loud}\n")
    return "own.md"


def _every(count: int, sep: str) -> str:
    some = SECRET.split()
    return sep.join(" ".join(some[at : at + count]) for at in range(0, len(some), count))


EXPORT = (
    "<p>The patient <b>Alvina Morrow</b> of <i>bed four</i> takes <b>nine tablets</b> of <i>warfarin</i> every "
    "<b>night</b> at eight.</p>"
)
FORMS = {
    "HTML of a chapter": EXPORT,
    "each word in a tag": "<p>" + " ".join(f"<b>{word}</b>" for word in SECRET.split()) + "</p>",
    "a tag in words": SECRET.replace("Alvina", "Al<b></b>vina").replace("takes", "ta<i></i>kes"),
    "line breaks": _every(5, "<br>\n"),
    "comments": _every(4, " <!-- x --> "),
    "citations": _every(4, " [cite: 1] "),
    "sources": _every(4, " \u30104:0\u2020name\u3011 "),
    "references": _every(4, "[1] "),
    "numbers on words": " ".join(f"{word}<sup>{at}</sup>" for at, word in enumerate(SECRET.split())),
    "blanks by name": SECRET.replace(" ", "&nbsp;"),
    "all by number": "".join(f"&#{ord(char)};" for char in SECRET),
    "soft hyphens": SECRET.replace("Alvina", "Al&shy;vina").replace("every", "ev\u00adery"),
    "Cyrillic letters": SECRET.translate(str.maketrans("aeo", "\u0430\u0435\u043e")),
    "accents": "".join(c + "\u0301" if c.isalpha() else c for c in SECRET),
    "no dots": SECRET.replace("i", "\u0131"),
    "line numbers": "\n".join(f"{at}\t{line}" for at, line in enumerate(_every(5, "\n").split("\n"))),
    "subtitles": "".join(f"{at}\n00:00:0{at},000 --> 00:01:00,000\n{line}\n\n"
                         for at, line in enumerate(_every(7, "\n").split("\n"))),
    "a conversation": "\n".join(f"[12:0{at}] nurse: {line}" for at, line in enumerate(_every(6, "\n").split("\n"))),
    "JSON": json.dumps({"text": _every(6, "\n").replace("A", "\u00c1")}),
    "words divided": SECRET.replace("Alvina", "Al-\nvina").replace("tablets", "tab-\nlets"),
    "TeX": SECRET.replace("Alvina Morrow", "\\emph{Alvina Morrow}").replace("nine", "\\textbf{nine}"),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "hex": SECRET.encode().hex(),
    "an address": SECRET.replace(" ", "%20"),
    "mail": _every(4, "=20=\n"),
    "unseen blanks": SECRET.replace(" ", "\u200b"),
    "no blanks": SECRET.replace(" ", ""),
    "letters apart": "  ".join(" ".join(word) for word in SECRET.split()),
    "links": SECRET.replace("nine", "[nine](x.md)").replace("warfarin", "[warfarin](https://x.example/z)"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_words_of_a_section_are_known_in_every_form(form: str) -> None:
    section = Written("Clinic", "The queue", f"A row before.[^s1-1]\n\n{SECRET}[^s1-2] And one behind.", ("medical",))
    (found,) = carried([(f"# Own\n\nA person wrote this.\n\n{form}\n", "public", "")], [section])
    assert [one.lanes for one in found] == [("medical",)]
    assert found[0].line >= 5


CHINESE = "患者王小明住四号床，每晚八点服用九片华法林。"


@pytest.mark.parametrize(
    ("note", "many"),
    [
        (CHINESE, 1),
        ("患者王小明住四号床每晚八点服用九片", 1),
        ("患者王小明住四号床，每晚八点服药。", 1),
        ("患者王小明住四号床", 0),  # nine characters may be a name
        ("The patient Alvina Morrow of bed four takes ten pills of aspirin in the morning.", 1),
        ("The patient Alvina Morrow of bed four has gone.", 0),
        ("A worker that dies gives its batch back.", 0),
    ],
)
def test_as_many_words_as_nobody_finds_anew_are_told(note: str, many: int) -> None:
    section = Written("Clinic", "The queue", f"{SECRET}\n\n{CHINESE}", ("medical",))
    assert len(words(note)) >= 8
    assert len(carried([(note, "public", "")], [section])[0]) == many


@pytest.mark.parametrize(
    "how", ["in place", "in place, rewritten", "contents", "copied", "one sentence", "elsewhere", "no lanes", "HTML",
            "hard link"]
)  # fmt: skip
def test_the_output_of_a_closed_lane_is_refused_as_a_source_however_it_is_called(base: Path, how: str) -> None:
    folder = base / "p" if how not in ("elsewhere", "no lanes") else project(base / "q")
    if how == "no lanes":
        (folder / "stet.toml").write_text(f'[project]\nid = "{os.urandom(8).hex()}"\n')
    output = base / "p/clinic/out/01-work.md"
    if how == "in place, rewritten":
        output.write_text("# Work\n\n## The queue\n\nAll of it was put in other words by a person.\n")
    if how == "one sentence":
        name = _one_sentence(folder)
    elif how == "HTML":
        name = "own.md"
        (folder / name).write_text(f"# Own\n\n{EXPORT}\n")
    elif how == "hard link":
        name = "own.md"
        assert here("plan", str(base / "p/clinic"))[0] == 0
        here("run", str(base / "p/clinic"))  # notes where the project stands now
        os.link(output, folder / name)
        output.write_text("# Work\n\nAll of it was put in other words by a person.\n")
    elif how.startswith("in place"):
        name = "clinic/out/0*.md"
    else:
        name = "clinic/out/README.md" if how == "contents" else _copied(base, folder)
    public = book(folder, "Open", "public", (name, "public"))
    status, out, err = here("run", str(public), "--json")
    assert status == 1
    said = json.loads(out)
    assert said["code"] == "lane-taint"
    status, shown, _ = here("plan", str(public), "--json")
    assert status == 1
    (source,) = json.loads(shown)["tainted"]
    assert source["lanes"] == ["medical"]
    assert source["book"] == "Clinic"
    assert "Clinic" in said["message"]
    assert "'medical'" in said["message"]
    assert source["source"] in said["message"]
    assert "Alvina" not in out + err + shown
    assert not (public / "out").exists()
    assert "Refused: " + source["source"] in here("plan", str(public))[1]


def test_a_refusal_of_many_files_stays_short(base: Path) -> None:
    many = book(base / "p/many", "Many", "public", ("n*.md", "public"))
    for number in range(5):
        shutil.copy(base / "p/clinic/out/01-work.md", many / f"n{number}.md")
    said = json.loads(here("run", str(many), "--json")[1])["message"]
    assert "n2.md" in said
    assert "n3.md" not in said
    assert "2 files more" in said
    assert len(json.loads(here("plan", str(many), "--json")[1])["tainted"]) == 5
    assert [here(*words, str(many))[0] for words in (("plan",), ("run", "--dry-run"))] == [1, 1]


def test_a_person_clears_the_very_bytes_and_nothing_else(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public = book(base / "p", "Open", "public", ("from-me.md", "public"))
    _copied(base, public)
    (source,) = json.loads(here("plan", str(public), "--json")[1])["tainted"]
    policy = public / "stet.toml"
    cleared = f'[lanes.public]\ncleared = ["{source["sha256"]}"]\n'
    policy.write_text(policy.read_text().replace("[lanes.public]\n", cleared))
    assert here("run", str(public))[0] == 1  # nobody has accepted that file yet
    with WriteProxy.open(public, source="test") as proxy:
        with pytest.raises(NeedsPerson):
            operator.accept_policy(proxy)
        monkeypatch.setattr("firewall.writes.person.confirm", lambda _command, _what: None)
        operator.accept_policy(proxy)
    status, out, err = here("run", str(public), "--json")
    assert status == 0, err
    assert json.loads(out)["list"][0]["lanes"] == ["public"]
    (public / "from-me.md").write_text((public / "from-me.md").read_text() + "\nOne word more.\n")
    assert json.loads(here("run", str(public), "--replan", "--json")[1])["code"] == "lane-taint"


def test_who_may_read_the_lane_carries_it_on(base: Path) -> None:
    inner = book(base / "p/inner", "Inner", "medical", ("from-me.md", "public"))
    _copied(base, inner)
    status, out, err = here("run", str(inner), "--json")
    assert status == 0, err
    (line,) = json.loads(out)["list"]
    assert line["lanes"] == ["medical", "public"]
    told = json.loads(here("status", str(inner), "--json")[1])
    assert told["list"][0]["lanes"] == ["medical", "public"]
    assert told["index_version"] == line["index_version"]
    assert f"index {line['index_version'][:12]}" in here("status", str(inner))[1]


def test_a_public_note_that_a_book_of_another_lane_quoted_stays_public(base: Path) -> None:
    public = book(base / "p", "Open", "public", ("clinic/pub/*.md", "public"))
    note = base / "p/clinic/pub/queue.md"
    note.write_text(note.read_text() + "\nA worker that dies gives its batch back.\n")
    status, out, err = here("run", str(public), "--json")
    assert status == 0, err
    assert json.loads(out)["list"][0]["lanes"] == ["public"]


def test_a_public_note_stays_public_when_a_second_book_wrote_from_the_first() -> None:
    first = Written("Clinic", "One", f"{SECRET} {PLAIN}", ("medical", "public"), (Quote(16, 34, ("public",)),))
    both = ("medical", "public")
    second = Written("Ward", "Two", f"{PLAIN} {SECRET}", both, (Quote(0, 34, both),))
    notes = [(PLAIN, "public", "1"), (SECRET, "public", "2")]
    assert [len(found) for found in carried(notes, [first, second])] == [0, 2]


def _shelf() -> Path:
    (path,) = state_home().glob("*/books/clinic-*/sections.sqlite")
    return path


def test_what_an_earlier_version_wrote_is_of_all_that_it_could_read(base: Path) -> None:
    with sqlite3.connect(_shelf()) as db:
        db.execute("UPDATE section SET record = json_remove(record, '$.origin')")
    public = book(base / "p", "Open", "public", ("clinic/pub/*.md", "public"))
    assert here("run", str(public))[0] == 0  # the very note it was written from
    again = book(base / "p/again", "Again", "public", ("from-me.md", "public"))
    _copied(base, again)
    assert json.loads(here("run", str(again), "--json")[1])["code"] == "lane-taint"
    for plan in state_home().glob("*/books/clinic-*/plan.json"):
        plan.unlink()
    (source,) = json.loads(here("plan", str(again), "--json")[1])["tainted"]
    assert source["lanes"] == ["(not known)"]


@pytest.mark.parametrize("lost", ["bytes", "shelf", "books", "rows", "one text", "state"])
def test_a_record_that_cannot_be_read_or_is_not_whole_refuses(base: Path, lost: str) -> None:
    public = book(project(base / "q"), "Open", "public", ("from-me.md", "public"))
    _copied(base, public)
    shelf = _shelf()
    if lost == "bytes":
        shelf.write_bytes(b"no database at all, but some bytes" * 9)
    elif lost == "shelf":
        shelf.unlink()
    elif lost == "books":
        shutil.rmtree(shelf.parents[1])
    elif lost == "state":
        here("run", str(base / "p/clinic"))  # notes where the project stands now
        shutil.rmtree(shelf.parents[2])
    else:
        with sqlite3.connect(shelf) as db:
            db.execute(
                {"rows": "DELETE FROM section"}.get(lost, "UPDATE section SET record = json_remove(record, '$.text')")
            )
    status, _, err = here("run", str(public))
    assert status == 1
    assert str(shelf.parents[2]) in err
    assert not (public / "out").exists()
    if lost in ("shelf", "books"):
        assert here("run", str(base / "p/clinic"))[0] == 1
        assert here("run", str(base / "p/clinic"), "--replan")[0] == 0
        assert "lane-taint" in here("run", str(public), "--json")[1]


def test_a_file_in_the_output_of_a_book_whose_plan_cannot_be_read_is_nobodys_source(base: Path) -> None:
    (base / "p/clinic/out/09-late.md").write_text("# Late\n\nA run died before it told of this page.\n")
    (plan,) = state_home().glob("*/books/clinic-*/plan.json")
    plan.write_text("{")
    public = book(base / "p", "Open", "public", ("clinic/out/09-*.md", "public"))
    status, _, err = here("run", str(public))
    assert status == 1
    assert str(plan) in err


REPORT = "Please report errors in this page to the documentation team by opening an issue in the tracker."


def test_words_that_open_notes_had_before_are_no_sections(base: Path) -> None:
    """Boilerplate of every page, that the ward's notes have too: known from a plan of before, by the very bytes."""
    public = book(base / "p/open", "Open", "public", ("*.md", "public"))
    (public / "queue.md").write_text(f"{QUEUE}\n{REPORT}\n")
    assert here("run", str(public))[0] == 0
    ward = base / "p/clinic/notes/ward.md"
    ward.write_text(f"# Ward\n\n{SECRET} {REPORT}\n")
    assert here("run", str(base / "p/clinic"), "--replan")[0] == 0
    assert REPORT in (base / "p/clinic/out/01-work.md").read_text()
    (public / "other.md").write_text(f"# Other\n\nThe queue of the other table has workers too. {REPORT}\n")
    assert here("run", str(public), "--replan")[0] == 0
    (public / "queue.md").write_text(f"{QUEUE}\n{SECRET}\n")  # no longer those bytes, and in two files
    (public / "more.md").write_text(f"# More\n\n{SECRET}\n")
    tainted = json.loads(here("plan", str(public), "--json")[1])["tainted"]
    assert [one["source"] for one in tainted] == ["more.md", "queue.md"]
    assert json.loads(here("run", str(public), "--replan", "--json")[1])["code"] == "lane-taint"
