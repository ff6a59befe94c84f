"""A newcomer's book: three small notes of one's own, of the everyday kind, and what Stet makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from book_kit import here, make_book
from fake_messages_api import FakeMessagesApi, Request, Text
from grounding_kit import bare, inventions

from firewall.policy import parse_policy
from pipeline.book import load_book
from pipeline.material import fitted, shortfall
from pipeline.plan import Models, Plan, make_plan

BICYCLE = """\
# How to mend a flat tyre

A flat tyre is nearly always a hole in the inner tube, and a hole in the tube can be closed at the roadside in a
quarter of an hour. What is needed fits under the saddle: two tyre levers, a box of patches and a small pump.

## Finding the hole

Take the wheel out and pull one side of the tyre over the rim with the levers. Pull the tube out, pump it up until
it is twice as thick as it was, and hold it close to your lips. The lips feel the air before the ear hears it. In a
puddle, bubbles show the place at once.

Look at the tyre too. What has made the hole is often still in it, and a new tube on an old thorn is flat again
within a mile.

## Closing it

1. Let the air out and dry the tube.
2. Roughen the place with the sandpaper from the box, a little more than the patch is large.
3. Spread a thin layer of glue and wait for five minutes until it looks dull.
4. If the glue still shines, wait for two minutes more.
5. Press the patch on hard, from the middle outwards.
6. Dust it with chalk, so that it does not stick to the tyre.

## Questions people ask

**Can I ride on a flat tyre to the next shop?**
No. The rim cuts the tube within a few hundred metres, and the rim itself may bend.

**How often can one tube be patched?**
As often as there is room between the patches. Five are no shame.

**Why does my tube go flat although there is no hole?**
The valve is loose, or old. Put a drop of spit on it: if it blows a bubble, the valve needs to be tightened.
"""
BREAD = """\
# Bread for the week

We bake on Saturday morning, because the oven is warm anyway and the children help to shape the loaves. Two loaves
last until Thursday if they are kept in the tin with a cloth over it.

## Everyday loaf

The dough is wet, so it is folded and not kneaded. Nobody needs a machine for it.

| Ingredient | Two loaves | Four loaves |
|---|---|---|
| Strong flour | 800 g | 1,600 g |
| Water, lukewarm | 560 g | 1,120 g |
| Salt | 16 g | 32 g |
| Sourdough starter | 160 g | 320 g |

1. Stir the starter into the water until it is milky.
2. Add flour and salt, and mix with a spoon until no dry flour is left.
3. Cover the bowl and leave it for half an hour.
4. Fold the dough over itself four times, and repeat that every half hour, three times in all.
5. If the kitchen is colder than 20 degrees, let it stand for an hour more.
6. Shape two loaves, put them into the tins, and leave them in the fridge overnight.
7. Bake at 240 degrees for 20 minutes with the lid on and 20 minutes without.

> Tip: a loaf that sounds hollow when it is tapped from below is done.

## Rye rolls

Rye rolls are for soup. They are small, dark and heavy, and they keep for a week.

Mix 300 g of rye flour with 200 g of wheat flour, 10 g of salt, a spoon of honey and 350 g of water in which
5 g of dry yeast have been dissolved. The dough is sticky; wet hands help. Leave it for two hours, shape twelve
rolls, and bake them at 220 degrees for 25 minutes.

## When it goes wrong

A flat loaf has been left for too long: the bubbles have grown until they burst. A loaf with a gummy crumb was cut
while it was hot, or it came out too early. A pale crust wants five more minutes, and a black one wants a lower shelf.
"""
MINUTES = """\
# Minutes of the allotment meeting, 14 March

Present were Ines, Paul, Ruth, Samir and the two new neighbours from plot nine. Ines took the chair, and Paul wrote.

## The water pump

The pump by the gate has not started since the frost in February. Samir took it apart and found a cracked housing.
A new housing costs 85 euros, a whole new pump 240. The club has 610 euros in the bank.

We talked about both for some time. Those for a repair said:

- it costs a third of a new pump
- Samir can do it in an afternoon
- the motor is only four years old

Those against said:

- the housing may crack again next winter
- there is no guarantee on a repair
- spare parts must be ordered from abroad

We voted: four for the repair, one against, one without an opinion. Samir orders the housing this week.

## The compost

Somebody has been putting cooked food on the compost, and there are rats. Ruth will write a notice. From April the
heap by the shed is for plants only, and what comes from a kitchen goes into the closed bin.

> Warning: rat poison may not be used anywhere on the site, because of the hedgehogs and the children.

## What is to be done

- Samir orders the housing and fits it before the first of April.
- Ruth writes the notice for the compost and hangs it by the shed.
- Paul asks the town whether the hedge may be cut in May.
- Everybody brings a pair of gloves on 5 April for the spring clean.

The next meeting is on 11 April at six, in the hut.
"""
NOTES = {"notes/bread.md": BREAD, "notes/minutes.md": MINUTES, "notes/bicycle.md": BICYCLE}

TOP = """\
title = "A House in Order"

[[sources]]
files = ["notes/*.md"]
lane = "public"
"""
ONE_EACH = (
    TOP
    + """
[[chapters]]
title = "Kitchen"
sections = ["Bread for the week"]

[[chapters]]
title = "Garden"
sections = ["The allotment"]

[[chapters]]
title = "Cellar"
sections = ["Mending a flat tyre"]
"""
)
THREE_EACH = (
    TOP
    + """
[[chapters]]
title = "Kitchen"
sections = ["The everyday loaf", "Rye rolls", "When bread goes wrong"]

[[chapters]]
title = "Garden"
sections = ["The water pump", "The compost", "What is to be done"]

[[chapters]]
title = "Cellar"
sections = ["Finding the hole", "Closing the hole", "Questions about tyres"]
"""
)


def newcomer(folder: Path, book: str = ONE_EACH) -> Path:
    return make_book(folder / "house", book=book, notes=NOTES)


def chapters(book: Path) -> str:
    return "\n".join(path.read_text() for path in sorted((book / "out").glob("0*.md")))


@pytest.mark.parametrize(("book", "count"), [(ONE_EACH, 3), (THREE_EACH, 9)])
def test_everyday_notes_become_a_whole_book_without_an_alert(tmp_path: Path, book: str, count: int) -> None:
    folder = newcomer(tmp_path, book)
    status, out, _ = here("run", str(folder), "--json")
    report = json.loads(out)
    assert status == 0
    assert report["sections"]["written"] == count
    assert report["alerts"] == []
    assert report["words"] > 850


@pytest.mark.parametrize("book", [ONE_EACH, THREE_EACH])
def test_it_says_everything_once_and_invents_nothing(tmp_path: Path, book: str) -> None:
    folder = newcomer(tmp_path, book)
    here("run", str(folder))
    plan = plan_of(folder)
    text = chapters(folder)
    body = "\n\n".join(block for block in text.split("\n\n") if not block.startswith(("# ", "## ")))
    assert inventions(body, [p for s in plan.sections for p in s.passages]) == []
    seen: set[str] = set()
    for block in text.split("\n\n"):
        key = bare(block)
        if len(key) > 60 and not block.startswith("[^"):
            assert key not in seen, block
            seen.add(key)
    for sentence in (
        "Bake at 240 degrees",
        "Samir can do it in an afternoon",
        "Press the patch on hard",
        "Five are no shame",
    ):
        assert text.count(sentence) == 1


def plan_of(folder: Path, writer: str = "offline", **options: Any) -> Plan:
    policy = parse_policy((folder / "stet.toml").read_text())
    return make_plan(folder, load_book(folder), policy, Models(writer, "offline"), **options)


def test_no_section_is_written_from_a_note_that_only_shares_a_word(tmp_path: Path) -> None:
    """A flat tyre is no flat loaf, and the kitchen waste of the minutes is no bread."""
    for section, note in zip(plan_of(newcomer(tmp_path)).sections, ("bread", "minutes", "bicycle"), strict=True):
        assert {p.source.partition(":")[0] for p in section.passages} == {f"notes/{note}.md"}


def test_lengths_are_fitted_to_what_the_notes_carry_unless_the_book_pins_them(tmp_path: Path) -> None:
    plan = plan_of(newcomer(tmp_path))
    for section in plan.sections:
        assert section.plan.target_words < 400  # the book's usual length is 650
        assert fitted(section.plan._replace(target_words=900), section.passages, "offline") < 400
    pinned = ONE_EACH.replace('["Bread for the week"]', '[{ title = "Bread for the week", words = 900 }]')
    (tmp_path / "house/book.toml").write_text(pinned)
    plan = plan_of(tmp_path / "house")
    assert plan.sections[0].plan.target_words == 900
    short = shortfall(plan.sections[0].plan, plan.sections[0].passages, "offline")
    assert short.short
    assert 300 < short.carries < 420
    assert "carry about" in short.sentences()[0]


PINNED = ONE_EACH.replace('["Bread for the week"]', '[{ title = "Bread for the week", shape = "post_mortem" }]')


def test_plan_and_dry_run_say_what_the_notes_lack_before_anything_is_written(tmp_path: Path) -> None:
    folder = newcomer(tmp_path, PINNED)
    for words in (("plan", str(folder)), ("run", str(folder), "--dry-run")):
        status, out, _ = here(*words)
        assert status == 0
        lacking = [line for line in out.splitlines() if line.startswith("Lacking:")]
        assert len(lacking) == 1
        for told in ("Section 1, 'Bread for the week'", "timeline steps", "root cause analysis", "safeguard bullets"):
            assert told in lacking[0]
    (short,) = json.loads(here("plan", str(folder), "--json")[1])["shortfalls"]
    assert (short["number"], short["shape"]) == (1, "post_mortem")
    assert [e["element"] for e in short["lacks"]] == ["timeline_steps", "root_cause_analysis", "safeguard_bullets"]
    assert all(e["needs"] for e in short["lacks"])
    assert short["carries"] > 200
    assert not (folder / "out").exists()


def test_a_run_says_it_too_and_writes_the_rest(tmp_path: Path) -> None:
    status, out, err = here("run", str(newcomer(tmp_path, PINNED)), "--json")
    assert status == 1
    assert err.index("lacking: Section 1, 'Bread for the week'") < err.index("STET ALERT")
    assert json.loads(out)["sections"]["written"] == 2


def test_a_book_of_mere_alerts_is_not_begun(tmp_path: Path) -> None:
    folder = newcomer(tmp_path, PINNED.split('[[chapters]]\ntitle = "Garden"')[0])
    status, out, _ = here("run", str(folder), "--json")
    error = json.loads(out)
    assert (status, error["code"]) == (1, "nothing-to-write")
    assert "timeline steps" in error["message"]
    assert not (folder / "out").exists()
    assert "No run" in here("status", str(folder))[1]


def test_notes_that_are_mended_are_laid_out_anew_where_nothing_stands_yet(tmp_path: Path) -> None:
    folder = newcomer(tmp_path)
    here("run", str(folder))
    before = {s.plan.title: s.plan.shape for s in plan_of(folder).sections}
    text = (
        MINUTES + "\n\n## Questions\n\n**Who pays?** The club pays for all of it.\n\n**When?** On the first of April.\n"
    )
    (folder / "notes/minutes.md").write_text(text)
    shown = json.loads(here("plan", str(folder), "--json")[1])
    assert {s["title"]: s["shape"] for s in shown["sections"]} == before  # what stands keeps its shape
    assert shown["changes"] == ["notes/minutes.md: changed"]


def test_a_model_may_make_a_list_of_prose_but_no_code_and_no_times(tmp_path: Path) -> None:
    folder = newcomer(tmp_path)
    plan = plan_of(folder, "claude-sonnet-5-5")
    assert not {"deep_code", "post_mortem"} & {s.plan.shape for s in plan.sections}
    assert {"comparative_analysis", "conceptual_breakdown"} & {s.plan.shape for s in plan.sections}
    for section in plan.sections:
        assert shortfall(section.plan, section.passages, "claude-sonnet-5-5").lacks == ()


def test_what_a_shape_of_ones_own_is_about_reaches_the_prompt(tmp_path: Path) -> None:
    own = '\n[[shapes]]\nname = "recipe"\nelements = ["numbered_steps"]\nabout = "Say what to buy first."\n'
    folder = newcomer(
        tmp_path,
        ONE_EACH.replace('["Bread for the week"]', '[{ title = "Bread for the week", shape = "recipe" }]') + own,
    )

    def answer(request: Request) -> Text:
        return Text("1. Stir it well\n2. Let it rest\n3. Bake it slowly\n" * 2)

    with FakeMessagesApi(answer) as api:
        here("run", str(folder), "--model", "claude-sonnet-5-5", "--base-url", api.url)
    assert "Shape: recipe. Say what to buy first." in api.requests[0].text


def test_the_plan_is_a_table_and_a_picture_of_the_rhythm(tmp_path: Path) -> None:
    out = here("plan", str(newcomer(tmp_path, THREE_EACH)))[1]
    header = next(line for line in out.splitlines() if line.startswith("#"))
    assert header.split() == ["#", "place", "section", "shape", "words", "opener"]
    assert any(line.split()[:2] == ["1", "1.1"] for line in out.splitlines())
    picture = [line for line in out.splitlines() if any(bar in line for bar in "▁▂▃▄▅▆▇█")]
    assert [line.split()[1] for line in picture] == ["Kitchen", "Garden", "Cellar"]
    assert "A walkthrough" in out
    assert "    walkthrough: numbered steps" in out


def starving(tmp_path: Path) -> Path:
    """A book of the default lane whose notes are of another."""
    folder = newcomer(tmp_path, ONE_EACH)
    text = (folder / "book.toml").read_text()
    (folder / "book.toml").write_text(text.replace('lane = "public"', 'lane = "own"'))
    (folder / "stet.toml").write_text('[project]\nid = "0123456789abcdef"\n\n[lanes.public]\n\n[lanes.own]\n')
    return folder


def test_a_book_whose_lane_holds_nothing_is_told_that_and_not_to_add_to_the_notes(tmp_path: Path) -> None:
    folder = starving(tmp_path)
    _, out, _ = here("plan", str(folder))
    (lacking,) = [line for line in out.splitlines() if line.startswith("Lacking:")]
    for told in ("Sections 1 to 3", "lane 'public', which the book is of", "'own', which it may not read"):
        assert told in lacking
    for helps in ('`lane = "own"` at the top of book.toml', 'reads = ["public", "own"]` under [lanes.public]'):
        assert helps in lacking
    status, out, _ = here("run", str(folder), "--json")
    error = json.loads(out)
    assert (status, error["code"]) == (1, "nothing-to-write")
    assert "'own', which it may not read" in error["message"]
    assert "mend the notes or the book" in error["next"]


@pytest.mark.parametrize("change", ["top", "reads"])
def test_what_it_is_told_helps(tmp_path: Path, change: str) -> None:
    folder = starving(tmp_path)
    if change == "top":
        (folder / "book.toml").write_text('lane = "own"\n' + (folder / "book.toml").read_text())
    else:
        text = (folder / "stet.toml").read_text()
        (folder / "stet.toml").write_text(text.replace("[lanes.public]", '[lanes.public]\nreads = ["public", "own"]'))
    status, out, _ = here("run", str(folder), "--json")
    assert (status, json.loads(out)["sections"]["written"]) == (0, 3), out


def test_a_section_that_no_note_speaks_of_is_told_that(tmp_path: Path) -> None:
    music = '\n[[chapters]]\ntitle = "Jazz"\nsections = ["Xylophones"]\n'
    folder = newcomer(tmp_path, ONE_EACH + music)
    _, out, _ = here("plan", str(folder))
    lacking = [line for line in out.splitlines() if line.startswith("Lacking:")]
    assert "Section 4, 'Xylophones': no note speaks of it. Add one" in lacking[0]


def test_a_policy_that_lets_more_be_read_lays_the_book_out_anew(tmp_path: Path) -> None:
    folder = starving(tmp_path)
    before = plan_of(folder)
    text = (folder / "stet.toml").read_text()
    (folder / "stet.toml").write_text(text.replace("[lanes.public]", '[lanes.public]\nreads = ["public", "own"]'))
    after = plan_of(folder, kept=json.loads(json.dumps(before.record)))
    assert all(section.passages for section in after.sections)
    assert after.blueprint == plan_of(folder).blueprint


def test_a_finding_says_of_which_section_it_is(tmp_path: Path) -> None:
    folder = newcomer(tmp_path, PINNED)
    _, out, _ = here("run", str(folder))
    (line,) = [line for line in out.splitlines() if line.startswith("findings: latch")]
    _, out, _ = here("run", str(folder), "--json")
    sections = json.loads(out)["list"]
    of_one = [f for f in sections[0]["findings"] if f["gate"] == "latch"]
    assert of_one
    assert all(set(f) == {"gate", "attempt", "rule", "outcome", "message"} for f in of_one)
    for rule in {f["rule"] for f in of_one}:
        some = [str(s["number"]) for s in sections if any(f["rule"] == rule for f in s["findings"])]
        assert f" (section{'s' * (len(some) > 1)} {', '.join(some)})" in line.partition(f"{rule} ")[2]


def test_a_note_that_another_section_tells_comes_along_for_no_text_that_is_there(tmp_path: Path) -> None:
    """One paragraph is all that a sketch asks for; nothing is told twice for a second one."""
    folder = make_book(tmp_path / "loaf", book=LOAF, notes=LOAF_NOTES)
    sources = [{p.source.partition(":")[0] for p in section.passages} for section in plan_of(folder).sections]
    assert sources == [{"notes/ovens.md"}, {"notes/failures.md"}]


LOAF = (
    TOP
    + """
[[chapters]]
title = "Baking"
sections = ["Ovens, pots and stones", "The flat loaf"]
"""
)
LOAF_NOTES = {
    "notes/ovens.md": """# Ovens

A home oven loses heat when the door opens. A cast-iron pot keeps the steam in, because the lid closes it.
A stone stores heat; it takes 45 minutes to warm through.

The pot is better for one loaf, while the stone is better for flat breads. Steel can burn the base of a loaf.
""",
    "notes/failures.md": """# The flat loaf of March

On 3 March the loaf came out flat. The starter had not been fed for two days, so it rose only by a third.
The kitchen was at 17 degrees. We noticed it only when the dough did not float.
""",
}
