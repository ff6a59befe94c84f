"""`stet lint`: the table, JSON, SARIF, exit statuses and the style that lies beside a document."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firewall.errors import StetError
from latches.commands.lint import command
from latches.report import RULES, Lines


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "stet-style.toml").write_text('banned = ["utilize"]\nceilings = { telemetry = 1 }\n')
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a.md").write_bytes("# Hi\r\n\r\nWe é utilize it.\r\ntelemetry telemetry\r\n".encode())
    (tmp_path / "b.md").write_text("All is well.\n")
    return tmp_path


def lint(*arguments: object, data: bytes = b"") -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments], input=data)


def stet(*arguments: object, data: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    code = "from pipeline.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "lint", *map(str, arguments)],
        input=data,
        capture_output=True,
        cwd=cwd,
        check=False,
    )


def test_the_table_names_line_column_rule_and_reason(book: Path) -> None:
    out = lint(book)
    assert out.exit_code == 1
    assert f"{book / 'part' / 'a.md'}\n" in out.output
    rows = [line.split(maxsplit=2) for line in out.output.splitlines() if line.startswith("  ")]
    assert rows == [
        ["3:6", "banned", '"utilize" may not stand in prose.'],
        ["4:11", "ceiling", '"telemetry" is used 2 times; at most 1 may stand.'],
    ]
    assert "2 findings in 1 of 2 files." in out.output


def test_nothing_found_is_exit_0(book: Path) -> None:
    out = lint(book / "b.md")
    assert (out.exit_code, out.output) == (0, "No findings in 1 file.\n")


def test_a_name_that_is_none_keeps_no_other_from_being_checked(book: Path) -> None:
    out = lint(book / "part", book / "nope.md")
    assert out.exit_code == 2
    assert '"utilize" may not stand in prose.' in out.output
    assert "nope.md' here. [not-found]" in out.stderr
    with_it = json.loads(lint(book / "part", book / "nope.md", "--json").stdout)
    assert with_it == json.loads(lint(book / "part", "--json").stdout)


def test_json_has_places_and_offsets(book: Path) -> None:
    out = lint(book, "--json")
    assert out.exit_code == 1
    report = json.loads(out.output)
    assert report["files"] == 2
    assert report["silenced"] == []
    first = report["findings"][0]
    text = (book / "part" / "a.md").read_bytes().decode()
    assert text[first["start"] : first["end"]] == "utilize"
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (3, 6, 3, 13)
    assert (first["rule"], first["term"]) == ("banned", "utilize")


def test_sarif_has_what_code_hosts_need(book: Path) -> None:
    (book / "part" / "c d.md").write_text("<!-- stet: off [utilize] its own title -->\n\nutilize\n")
    out = lint(book, "--sarif")
    log = json.loads(out.output)
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == list(RULES)
    assert len(run["results"]) == 3
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        assert result["partialFingerprints"]
    silenced = [r for r in run["results"] if "suppressions" in r]
    assert [s["suppressions"][0]["justification"] for s in silenced] == ["its own title"]
    assert silenced[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("c%20d.md")
    prints = [r["partialFingerprints"]["stetLine/v1"] for r in run["results"]]
    assert len(set(prints)) == len(prints)


SARIF: dict[str, dict[str, object]] = {
    "log": {"version!": "2.1.0", "$schema": str, "runs!": ["run"]},
    "run": {"tool!": "tool", "results": ["result"], "columnKind": ("utf16CodeUnits", "unicodeCodePoints")},
    "tool": {"driver!": "component"},
    "component": {"name!": str, "semanticVersion": str, "rules": ["rule"]},
    "rule": {"id!": str, "shortDescription": "message"},
    "message": {"text": str},
    "result": {
        "message!": "message", "ruleId": str, "ruleIndex": 0, "level": ("none", "note", "warning", "error"),
        "locations": ["location"], "partialFingerprints": {}, "suppressions": ["suppression"],
    },
    "suppression": {"kind!": ("inSource", "external"), "justification": str},
    "location": {"physicalLocation": "physical"},
    "physical": {"artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": str},
    "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
}  # fmt: skip
"""What of SARIF 2.1.0 (OASIS, sections 3.13 to 3.50) we write: per object its properties, `!` for one that must be
there. A number is the least that may stand; other properties than these a reader of the schema refuses."""


def in_form(value: object, form: object, at: str = "log") -> list[str]:
    """Where `value` departs from the form."""
    if isinstance(form, str) and form in SARIF:
        assert isinstance(value, dict), at
        wanted = {name.rstrip("!"): (name.endswith("!"), rest) for name, rest in SARIF[form].items()}
        out = [f"{at}.{name} is unknown" for name in value if name not in wanted]
        out += [f"{at}.{name} is missing" for name, (must, _) in wanted.items() if must and name not in value]
        return out + [e for k, v in value.items() if k in wanted for e in in_form(v, wanted[k][1], f"{at}.{k}")]
    if isinstance(form, list):
        assert isinstance(value, list), at
        return [e for n, one in enumerate(value) for e in in_form(one, form[0], f"{at}[{n}]")]
    if isinstance(form, dict):
        good = isinstance(value, dict) and all(isinstance(part, str) for pair in value.items() for part in pair)
    elif isinstance(form, int):
        good = isinstance(value, int) and not isinstance(value, bool) and value >= form
    elif isinstance(form, tuple):
        good = value in form
    else:
        good = isinstance(value, str) if form is str else value == form
    return [] if good else [f"{at} is {value!r}"]


def test_sarif_has_the_form_of_2_1_0(book: Path) -> None:
    """Every rule, a silenced use, an unreadable file, a name that needs quoting, a file outside, nothing at all."""
    (book / "stet-style.toml").write_text(
        'banned = ["utilize"]\nceilings = {robust = 1}\nper_thousand = {pump = 0}\n'
        'apart = [{words = ["red", "blue"], within = 5}]\n'
    )
    (book / "ü #1%.md").write_bytes(
        "Robust robust. A pump is red, blue 🚪 and utilized.\r\n\r\n<!-- stet: off -->\r\n"
        "<!-- stet: next [robust] nothing is here -->\r\n\r\nText.\r\n\r\n"
        "<!-- stet: off [utilize] its own title -->\r\n\r\nutilize\r\n".encode()
    )
    (book / "bad.md").write_bytes(b"\xff\xfe")
    (book / "beside.md").write_text("<!-- stet: off the words of the maker --> Text.\n")
    (book / "open.md").write_text("Text.\n\n<!-- stet: off a good reason\n")
    log = json.loads(stet(book, "--sarif", cwd=book).stdout)
    assert in_form(log, "log") == []
    results = log["runs"][0]["results"]
    assert {r["ruleId"] for r in results} == set(RULES)
    assert any("suppressions" in r for r in results)
    elsewhere = json.loads(stet(book / "ü #1%.md", "--sarif", cwd=book / "part").stdout)
    assert in_form(elsewhere, "log") == []
    assert elsewhere["runs"][0]["results"]
    (book / "clean.md").write_text("All is well.\n")
    assert in_form(json.loads(stet(book / "clean.md", "--sarif", cwd=book).stdout), "log") == []
    assert in_form({"version": "2.1.0", "runs": [{}], "more": 1}, "log") == [
        "log.more is unknown",
        "log.runs[0].tool is missing",
    ]


def test_sarif_names_files_from_where_the_command_ran(book: Path) -> None:
    out = stet(book / "part", "--sarif", cwd=book)
    uris = {
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for r in json.loads(out.stdout)["runs"][0]["results"]
    }
    assert uris == {"part/a.md"}


def test_links_to_folders_are_not_followed(book: Path) -> None:
    (book / "part" / "loop").symlink_to(book, target_is_directory=True)
    assert json.loads(lint(book, "--json").output)["files"] == 2


def test_fingerprints_stay_when_lines_move(book: Path) -> None:
    def prints() -> list[str]:
        log = json.loads(lint(book, "--sarif").output)
        return [r["partialFingerprints"]["stetLine/v1"] for r in log["runs"][0]["results"]]

    before = prints()
    path = book / "part" / "a.md"
    path.write_text("New first paragraph.\n\n" + path.read_text())
    assert prints() == before


def test_the_nearest_style_counts(book: Path) -> None:
    (book / "part" / "stet-style.toml").write_text('banned = ["well"]\n')
    assert lint(book / "part" / "a.md").exit_code == 0
    assert lint(book / "b.md").exit_code == 0
    (book / "part" / "c.md").write_text("All is well.\n")
    assert lint(book).exit_code == 1
    assert lint(book / "part" / "c.md", "--config", book / "stet-style.toml").exit_code == 0


def test_stet_toml_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "stet.toml").write_text('[project]\nid = "abcdefgh12"\n\n[style]\nbanned = ["utilize"]\n')
    (tmp_path / "a.md").write_text("utilize\n")
    assert lint(tmp_path).exit_code == 1


def test_a_style_without_rules_is_an_error_and_no_pass(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("utilize\n")
    (tmp_path / "stet-style.toml").write_text("headings = false\n")
    out = stet(tmp_path / "a.md")
    assert out.returncode == 2
    assert b"no-style" in out.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('baned = ["x"]\n', "Did you mean 'banned'?"),
        ('\nbanned = "x"\n', "line 2"),
        ("banned = [\n", "not TOML"),
        ("[style]\nbanned = []\n", "style"),
    ],
)
def test_a_wrong_style_file_is_told_with_line_and_right_name(book: Path, text: str, words: str) -> None:
    (book / "stet-style.toml").write_text(text)
    out = stet(book / "b.md")
    assert out.returncode == 2
    assert words in out.stderr.decode()
    assert b"Traceback" not in out.stderr


def test_a_style_file_that_cannot_be_read_is_told_in_words(book: Path) -> None:
    (book / "stet-style.toml").write_bytes(b'# style\nbanned = ["\xff"]\n')
    with pytest.raises(StetError, match="line 2: not UTF-8"):
        CliRunner().invoke(command, [str(book)], catch_exceptions=False)
    out = stet(book, "--config", book / "none.toml")
    assert out.returncode == 2
    assert b"cannot be read (No such file or directory)" in out.stderr


def test_what_cannot_be_read_is_a_finding(book: Path) -> None:
    (book / "bad.md").write_bytes(b"caf\xe9 utilize\n")
    out = lint(book / "bad.md")
    assert out.exit_code == 1
    assert "byte 3 is 0xe9" in out.output
    assert json.loads(lint(book / "bad.md", "--json").output)["findings"][0]["rule"] == "unreadable"
    assert json.loads(lint(book / "bad.md", "--sarif").output)["runs"][0]["results"][0]["level"] == "error"


def test_a_byte_order_mark_moves_no_column(book: Path) -> None:
    (book / "bom.md").write_bytes(b"\xef\xbb\xbf# utilize\n")
    assert json.loads(lint(book / "bom.md", "--json").output)["findings"][0]["column"] == 3


def test_folders_stand_for_their_markdown(tmp_path: Path) -> None:
    (tmp_path / "stet-style.toml").write_text('banned = ["utilize"]\n')
    names = [
        "a.md",
        "b.MARKDOWN",
        "c/d.mdx",
        "c/e.txt",
        ".git/f.md",
        "node_modules/g.md",
        "env/h.md",
        ".x/i.md",
        "c/j.md",
    ]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("utilize\n")
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    report = json.loads(lint(tmp_path, tmp_path / "a.md", tmp_path / "c" / "e.txt", "--json").output)
    found = [str(Path(f["path"]).relative_to(tmp_path)) for f in report["findings"]]
    assert found == ["a.md", "b.MARKDOWN", "c/d.mdx", "c/j.md", "c/e.txt"]


def test_a_folder_that_cannot_be_listed_is_an_error_and_no_pass(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.iterdir

    def iterdir(self: Path) -> object:
        if self.name == "part":
            raise PermissionError(13, "Permission denied")
        return real(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    result = lint(book)
    assert isinstance(result.exception, StetError)
    assert result.exception.code == "unreadable-folder"


def test_standard_input_is_styled_like_the_current_folder(book: Path) -> None:
    out = stet("-", data=b"utilize\n", cwd=book)
    assert out.returncode == 1
    assert b"1:1" in out.stdout


@pytest.mark.parametrize("arguments", [[], ["gone.md"], ["x" * 5_000], ["--json", "--sarif", "b.md"], ["empty"]])
def test_usage_errors_are_exit_2(book: Path, arguments: list[str]) -> None:
    (book / "empty").mkdir()
    out = stet(*arguments, cwd=book)
    assert out.returncode == 2
    assert b"Traceback" not in out.stderr


def test_thousands_of_files_are_one_run(tmp_path: Path) -> None:
    (tmp_path / "stet-style.toml").write_text('banned = ["utilize"]\n')
    for n in range(2_000):
        (tmp_path / f"{n:04}.md").write_text("All is well here.\n" if n % 500 else "We utilize it.\n")
    report = json.loads(lint(tmp_path, "--json").output)
    assert report["files"] == 2_000
    assert [Path(f["path"]).name for f in report["findings"]] == ["0000.md", "0500.md", "1000.md", "1500.md"]


@pytest.mark.parametrize("text", ["a\nb\nc", "a\r\nb\r\nc", "a\rb\rc", "é\n日本\n\n"])
def test_places_count_lines_as_editors_do(text: str) -> None:
    lines = Lines(text)
    expected_line, column = 1, 1
    for at, char in enumerate(text):
        assert lines.place(at, at)[:2] == (expected_line, column)
        ends = char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n")
        expected_line, column = (expected_line + 1, 1) if ends else (expected_line, column + 1)


def test_other_line_separators_end_no_line() -> None:
    """U+2028 and form feeds end a line for str.splitlines, and for no editor."""
    assert Lines("a\u2028b\fc\x85d").place(6, 7).line == 1


def test_errors_are_of_the_tree() -> None:
    from latches import errors

    own = [
        e
        for e in vars(errors).values()
        if isinstance(e, type) and issubclass(e, StetError) and e.__module__ == "latches.errors"
    ]
    assert len({e.code for e in own}) == len(own)
    assert all(e.code and e.next_step for e in own)


def test_a_text_with_nul_is_not_passed(book: Path) -> None:
    (book / "wide.md").write_bytes("We utilize it.\n".encode("utf-16-le"))
    out = lint(book / "wide.md")
    assert out.exit_code == 1
    assert "NUL (byte 1 is 0x00)" in out.output


def test_a_style_file_with_the_header_of_the_policy_is_told_to_leave_it_out(book: Path) -> None:
    (book / "stet-style.toml").write_text('# ours\n[style]\nbanned = ["utilize"]\n')
    with pytest.raises(StetError, match="line 2: the keys of this file stand at its top"):
        CliRunner().invoke(command, [str(book)], catch_exceptions=False)
