"""The odds explorer in a browser: what it looks up is what the program says, and it can be used."""

import itertools
import json
import os
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from in_browser import TELEPHONE, OpenPage, axe_faults, beyond, build_site
from playwright.sync_api import Page, expect
from shipped_rulesets import SHIPPED

from rulebook.cli import cli
from rulebook.core.input_domains import Domain, parse_inputs
from rulebook.core.odds import as_json, program_of, reckon
from rulebook.core.procedure_faults import RunFault
from rulebook.core.value_types import Value
from rulebook.loading.editions import load_standing
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder

#: Settings of all rulesets together, of which each procedure has its part.
SETTINGS = 1_000
#: Looks up settings of a procedure, of values that are in its atlas.
LOOK = """async ([path, key, settings]) => {
    if (!globalThis.rulebookOdds?.[key]) await new Promise((found, failed) => {
        const tag = document.createElement("script")
        Object.assign(tag, {src: path, onload: found, onerror: failed})
        document.head.append(tag)
    })
    const atlas = rulebookOdds[key]
    return settings.map(one => {
        const found = rulebookAtlas.look(atlas, one)
        return found.missing ? found : rulebookAtlas.plain(found, atlas)
    })
}"""


@pytest.fixture(scope="module")
def site() -> Path:
    """The explorers of all of the shipped rulesets, without all else."""
    folder = Path(os.environ["RULEBOOK_CACHE"]) / "explorers"
    return build_site(content_folder(), folder, "--only", "*/odds*")


def loaded(name: str) -> Ruleset:
    ruleset = load_standing(content_folder() / name).ruleset
    assert ruleset is not None
    return ruleset


def explorer_of(ruleset: Ruleset) -> str:
    return f"{ruleset.id}/{ruleset.form}/odds.html"


def shard_of(site: Path, ruleset: Ruleset, procedure: str) -> Any:
    path = site / ruleset.id / ruleset.form / "odds" / f"{procedure}.js"
    return json.loads(path.read_text(encoding="utf-8").partition(" = ")[2].removesuffix(";\n"))


def chosen(rng: random.Random, domain: Domain, kept: list[str] | None) -> str:
    if kept is not None:
        return rng.choice(kept)
    value: Value
    if domain.several:
        held = {str(row): rng.randint(0, domain.limits.get(str(row), 1)) for row in domain.values}
        value = tuple(row for row in held for _ in range(held[row] if rng.random() < 0.4 else 0))
    else:
        value = rng.choice(domain.values)
    return domain.written(value)


def answer(ruleset: Ruleset, procedure: str, setting: dict[str, str]) -> dict[str, Any]:
    """What `rulebook odds --json` says of a setting, as far as the page has it."""
    program = program_of(ruleset, procedure)
    inputs = parse_inputs(program.domains, setting)
    try:
        program.admit(inputs)
    except RunFault as fault:
        return {"refused": fault.message}
    told: Any = as_json(ruleset, reckon(ruleset, program, inputs))
    results = {}
    for name, one in told["results"].items():
        shares = [{key: out[key] for key in ("value", "probability")} for out in one["outcomes"]]
        results[name] = {"outcomes": shares, "mean": one["mean"]}
    return {"results": results}


@pytest.mark.parametrize("name", SHIPPED)
def test_random_settings_give_what_the_program_says(
    name: str, site: Path, open_page: OpenPage
) -> None:
    rng, ruleset = random.Random(f"odds of {name}"), loaded(name)
    page = open_page(explorer_of(ruleset))
    every = sum(len(loaded(one).procedures) for one in SHIPPED)
    each = -(-SETTINGS // every)
    for procedure in ruleset.procedures:
        program, atlas = program_of(ruleset, procedure), shard_of(site, ruleset, procedure)
        settings = [
            {
                name: chosen(rng, domain, atlas["inputs"][name].get("kept"))
                for name, domain in program.domains.items()
            }
            for _ in range(each)
        ]
        key = f"{ruleset.id}/{ruleset.form}/{procedure}"
        found = page.evaluate(LOOK, [f"odds/{procedure}.js", key, settings])
        for setting, one in zip(settings, found, strict=True):
            assert one == answer(ruleset, procedure, setting), (procedure, setting)


def test_the_page_shows_what_the_command_says(site: Path, open_page: OpenPage) -> None:
    ruleset = loaded("acw")
    asked = ["odds", "acw", "volley", "firers=36", "volley=first", "--json"]
    told = CliRunner().invoke(cli, ["--content", str(content_folder()), *asked])
    odds = json.loads(told.output)["results"]["casualties"]
    page = open_page(explorer_of(ruleset) + "#volley/casualties/firers=36&volley=first/5")
    mean = float(Fraction(odds["mean"]))
    shares = {one["value"]: Fraction(one["probability"]) for one in odds["outcomes"]}
    least = sum(share for value, share in shares.items() if value >= 5)
    expect(page.locator(".tile b").first).to_have_text(f"{mean:.2f}".rstrip("0").rstrip("."))
    expect(page.locator(".tile.main b")).to_have_text(f"{float(100 * least):.1f} %")


def open_volley(site: Path, open_page: OpenPage, **how: object) -> Page:
    page = open_page(explorer_of(loaded("acw")) + "#volley", **how)
    expect(page.locator("#chart rect").first).to_be_visible()
    return page


def test_keyboard_alone_sets_inputs_and_compares(site: Path, open_page: OpenPage) -> None:
    page = open_volley(site, open_page)
    before = page.locator(".tile.main b").inner_text()
    page.locator("#input-firers").focus()
    page.keyboard.press("PageUp")
    expect(page.locator(".tile.main b")).not_to_have_text(before)
    page.locator("#keep").focus()
    page.keyboard.press("Enter")
    page.locator("#input-firers").focus()
    page.keyboard.press("End")
    expect(page.locator(".tile.main b")).to_have_count(2)
    expect(page.locator("#legend .series")).to_have_count(2)
    reached = set()
    page.locator("#procedure").focus()
    for _ in range(40):
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.name"))
        page.keyboard.press("Tab")
    assert {
        "procedure",
        "input-firers",
        "keep",
        "usual-inputs",
        "result",
        "mode",
        "sweep",
        "csv",
        "share",
    } <= reached


def test_an_address_leads_to_the_same_setting(site: Path, open_page: OpenPage) -> None:
    page = open_volley(site, open_page)
    page.locator("input[name='input-cover'][value='cover']").check()
    page.locator("#keep").click()
    page.locator("#sweep").select_option("firers")
    expect(page.locator("#swept svg").first).to_be_visible()
    figures = page.locator("#figures").inner_text()
    again = open_page(page.url)
    expect(again.locator("#swept svg").first).to_be_visible()
    assert again.locator("#figures").inner_text() == figures
    assert again.locator("#sweep").input_value() == "firers"


#: Where the names below the axis of each chart of a sweep begin and end, with what each says.
TICKS = """() => [...document.querySelectorAll("#swept svg")].map(svg => {
    const all = [...svg.querySelectorAll(".tick")]
    const below = Math.max(...all.map(one => +one.getAttribute("y")))
    return all.filter(one => +one.getAttribute("y") === below).map(one => {
        const {left, right} = one.getBoundingClientRect()
        return [+one.getAttribute("x"), left, right, one.textContent]
    })
})"""


@pytest.mark.parametrize(
    ("name", "procedure"),
    [("acw", "volley"), ("acw", "line_morale"), ("thin-red-line", "shooting")],
)
def test_the_names_below_a_sweep_are_as_far_from_each_other(
    name: str, procedure: str, site: Path, open_page: OpenPage
) -> None:
    drawn = 0
    page = open_page(f"{explorer_of(loaded(name))}#{procedure}", size=TELEPHONE)
    expect(page.locator("#chart svg")).to_be_visible()
    for sweep in page.locator("#sweep option").all()[1:]:
        page.locator("#sweep").select_option(sweep.get_attribute("value"))
        for width in (320, 360, 390, 414, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(100)
            for ticks in page.evaluate(TICKS):
                apart = [after[0] - before[0] for before, after in itertools.pairwise(ticks)]
                assert max(apart, default=0) - min(apart, default=0) < 1, (width, ticks)
                assert all(a[2] < b[1] for a, b in itertools.pairwise(ticks)), (width, ticks)
                drawn += len(ticks) > 1
    assert drawn > 5


def test_what_is_not_in_the_atlas_is_said_with_the_nearest_that_are(
    site: Path, open_page: OpenPage
) -> None:
    ruleset = loaded("acw")
    kept = shard_of(site, ruleset, "volley")["inputs"]["firers"]["kept"]
    gap = next(one for one in range(1, 241) if str(one) not in kept)
    page = open_page(explorer_of(ruleset) + f"#volley//firers={gap}")
    expect(page.locator("#message")).to_contain_text(f": {gap}.")
    expect(page.locator("#chart")).to_be_empty()
    near = page.locator("#message button")
    below, above = (int(one) for one in near.all_inner_texts())
    assert below < gap < above and {str(below), str(above)} <= set(kept)
    near.first.click()
    expect(page.locator("#chart rect").first).to_be_visible()


def test_the_spreadsheet_holds_exact_probabilities(
    site: Path, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_volley(site, open_page)
    with page.expect_download() as download:
        page.locator("#csv").click()
    download.value.save_as(tmp_path / "odds.csv")
    head, *rows = (tmp_path / "odds.csv").read_text().splitlines()
    assert head == "edition,firers,range,volley,cover,result,value,probability,decimal"
    total = sum(Fraction(row.split(",")[7]) for row in rows if ",casualties," in row)
    assert total == 1


@pytest.mark.parametrize("dark", [False, True])
def test_explorers_have_no_fault_of_access(dark: bool, site: Path, open_page: OpenPage) -> None:
    scheme = "dark" if dark else "light"
    for name, hash in (
        ("acw", "#volley/casualties/firers=24//exactly/range//~firers=30"),
        ("horse-and-musket", "#close_combat"),
        ("thin-red-line", "#shooting/fate"),
    ):
        page = open_page(explorer_of(loaded(name)) + hash, size=TELEPHONE, color_scheme=scheme)
        expect(page.locator("#chart svg")).to_be_visible()
        for details in page.locator("details").all():
            details.evaluate("one => one.open = true")
        assert axe_faults(page) == []
        for width in (320, 390, 768, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(100)
            assert beyond(page) == []


def test_without_scripts_the_usual_odds_are_there(site: Path, open_page: OpenPage) -> None:
    page = open_page(explorer_of(loaded("acw")), java_script_enabled=False)
    expect(page.locator("#explorer")).to_be_hidden()
    assert page.locator("#usual article").count() == len(loaded("acw").procedures)
    assert re.search(r"Hits, mean 6.67", page.locator("#usual-volley").inner_text())
