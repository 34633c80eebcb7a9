"""Options in force and lengths turned, as they are typed: what they choose and where they print."""

import json

import pytest
from beside import beside

from rulebook.model.lengths import Lengths


class TestWrongUsage:
    @pytest.mark.parametrize(("arguments", "told"), beside(__file__, "it_is_told"))
    @pytest.mark.parametrize("command", ["build", "check"])
    def test_it_is_told(self, run, wet, command, arguments, told):
        assert told in run(command, "mygame", *arguments, exits=2).stderr

    def test_an_option_that_no_ruleset_has(self, run, mygame):
        assert "no ruleset has the option rain" in run("build", "--with", "rain", exits=2).stderr


class TestOrder:
    """What a build is asked for."""

    @pytest.fixture
    def orders(self, monkeypatch):
        found = []

        def build_rulesets(order, listener):
            from rulebook.build.report import Outcome

            found.append(order)
            return Outcome((), (), (), (), (), 0.0)

        monkeypatch.setattr("rulebook.build.building.build_rulesets", build_rulesets)
        return found

    def test_options_and_lengths(self, run, wet, orders):
        run("build", "mygame", "--with", "rain", "--scale", "1/2", "--read", "in=2.5cm")
        (order,) = orders
        assert order.options == ("rain",)
        wanted = {"scale": "1/2", "read": {"in": "2.5cm"}}
        assert order.lengths == Lengths.model_validate(wanted)

    def test_what_changes_nothing_is_nothing(self, run, wet, orders):
        run("build", "mygame", "--scale", "1")
        assert orders[0].lengths is None

    def test_without_a_name_those_that_have_the_option(self, run, wet, orders):
        assert run("new", "other").exit_code == 0
        run("build", "--with", "rain")
        assert [folder.name for folder in orders[0].folders] == ["mygame"]


class TestCheck:
    def test_with_an_option(self, run, wet):
        assert run("check", "mygame", "--with", "rain").exit_code == 0

    def test_a_scale_at_which_bands_collapse(self, run, mygame):
        result = run("check", "mygame", "--round", "20in", "--format", "json", exits=1)
        (checked,) = json.loads(result.stdout)["rulesets"]
        assert {one["code"] for one in checked["problems"]} == {"R441"}
