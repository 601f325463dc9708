"""The table generator of bench/ on JSON written by hand."""

import json
import math
import unittest
from pathlib import Path

import growth_plot
import tables
from measurements import Key, Measurement, fitted_exponent, ordered, read, with_difference, with_sums
from targets import TARGETS, Target


def entry(name, cpu_time, unit="ms", **more):
    return {"name": name, "run_type": "iteration", "iterations": 3, "real_time": 99, "cpu_time": cpu_time, "time_unit": unit, **more}


def measured(*entries):
    return read([json.dumps({"benchmarks": list(entries)})])


class Names(unittest.TestCase):
    def test_all_parts(self):
        key = Key.parse("ffdl~noisy@published/jobs:10/gpus:32/iterations:1")
        self.assertEqual(key, Key("ffdl", (("jobs", 10), ("gpus", 32)), "noisy", "published"))
        self.assertEqual(str(key), "ffdl~noisy@published/jobs:10/gpus:32")

    def test_plain_sizes(self):
        self.assertEqual(Key.parse("uniform/100/200").sizes, (("", 100), ("", 200)))

    def test_every_target_is_a_name(self):
        for target in TARGETS:
            self.assertEqual(str(Key.parse(target.benchmark)), target.benchmark)


class Reading(unittest.TestCase):
    def test_units_and_counters(self):
        found = measured(entry("a/n:1", 2500, "us", moved=7.0))
        self.assertEqual(found[Key("a", (("n", 1),))], Measurement(2.5, {"moved": 7.0}))

    def test_repeated_runs_give_their_median(self):
        found = measured(entry("a/n:1", 1), entry("a/n:1", 9), entry("a/n:1", 2), {**entry("a/n:1_mean", 4), "run_type": "aggregate"})
        self.assertEqual({str(key): each.ms for key, each in found.items()}, {"a/n:1": 2})

    def test_a_wrong_answer_is_a_fault(self):
        found = measured(entry("a/n:1", 1), {**entry("b/n:1", 1), "error_occurred": True, "error_message": "wrong"})
        self.assertEqual(tables.faults(found), ["b/n:1: wrong"])

    def test_a_difference(self):
        found = with_difference(measured(entry("repack/nodes:4", 5), entry("packing/nodes:4", 3), entry("repack~hard/nodes:4", 9)), "binding", "repack", "packing")
        self.assertEqual(found[Key("binding", (("nodes", 4),))].ms, 2)
        self.assertEqual(len(found), 4)


    def test_order(self):
        found = measured(entry("b/n:10", 1), entry("b@x/n:9", 1), entry("a/n:1", 1), entry("b/n:9", 1))
        self.assertEqual([str(key) for key in ordered(found)], ["b/n:9", "b/n:10", "b@x/n:9", "a/n:1"])

    def test_a_sum_needs_all_members(self):
        found = measured(entry("run_a/n:1", 5), entry("run_b/n:1", 3), entry("run_a/n:2", 1), entry("run_c/n:1", 9), entry("run_b@x/n:2", 1))
        sums = with_sums(found, "run_all", "run_", ("a", "b"))
        self.assertEqual({str(key): each.ms for key, each in sums.items() if key not in found}, {"run_all/n:1": 8})


class Fit(unittest.TestCase):
    def test_a_power_is_found(self):
        self.assertAlmostEqual(fitted_exponent([10, 100, 1000], [3 * 10**1.5, 3 * 100**1.5, 3 * 1000**1.5]), 1.5)

    def test_least_squares(self):
        # log10: points (0, 0), (1, 1), (2, 1): slope 1/2
        self.assertAlmostEqual(fitted_exponent([1, 10, 100], [1, 10, 10]), 0.5)

    def test_one_size_has_no_slope(self):
        self.assertTrue(math.isnan(fitted_exponent([5, 5], [1, 2])))


class Cells(unittest.TestCase):
    def test_durations(self):
        shown = [tables.duration(ms) for ms in (0.000012, 0.0123, 12.34, 12345, None)]
        self.assertEqual(shown, ["12 ns", "12.3 us", "12.3 ms", "12.3 s", "-"])

    def test_ratios(self):
        self.assertEqual([tables.times(ratio) for ratio in (0.5, 33.33, 2150.4)], ["0.5x", "33.3x", "2,150x"])


class Targets(unittest.TestCase):
    def judged(self, target, *entries):
        return tables.judge(target, measured(*entries))

    def test_without_a_peers_time_the_time_counts(self):
        target = Target("work", "a/n:1", ms=5)
        self.assertEqual(self.judged(target, entry("a/n:1", 4))[-1], "yes")
        self.assertEqual(self.judged(target, entry("a/n:1", 6))[-1], "**no**")

    def test_with_a_peers_time_the_ratio_counts(self):
        # asked: 40 / 10 = 4, within 15 %: 3.4
        target = Target("work", "a/n:1", ms=10, peer="p", peer_ms=40)
        row = self.judged(target, entry("a/n:1", 20), entry("a@p/n:1", 70))
        self.assertEqual(row, ["work", "20 ms", "10 ms", "p 70 ms", "3.5x", "3.4x", "yes"])
        self.assertEqual(self.judged(target, entry("a/n:1", 20), entry("a@p/n:1", 60))[-1], "**no**")

    def test_limits_of_counters(self):
        target = Target("work", "a/n:1", ms=5, at_most={("moved", "survivors"): 0.01, "lost": 0})
        row = self.judged(target, entry("a/n:1", 4, moved=2, survivors=100, lost=0))
        self.assertEqual(row[-1], "yes; moved 0.02 > 0.01".replace("yes", "**no**"))

    def test_not_measured(self):
        self.assertIsNone(self.judged(Target("work", "a/n:1", ms=5), entry("b/n:1", 1)))


class Tables(unittest.TestCase):
    def test_worst_cases_are_multiples_of_the_usual_input(self):
        text = tables.worst_table(measured(entry("a/n:1", 2), entry("a~x/n:1", 6), entry("a~y/n:1", 50), entry("a~x/n:2", 9)))
        self.assertIn("| `a` | 1 n | 2 ms | **y 25x**, x 3x |", text)

    def test_growth(self):
        text = tables.growth_table(measured(entry("a/n:100", 1), entry("a/n:1000", 100), entry("a/n:10", 7), entry("b/n:100", 1)))
        self.assertIn("| `a` | 100: 1 ms, 1,000: 100 ms | 2.00 | ▁█ |", text)
        self.assertNotIn("`b`", text)

    def test_allocations_grow_with_ten_gpus_a_job(self):
        series = tables.growth_series(measured(*(entry(f"a/jobs:{jobs}/gpus:{gpus}", 1) for jobs, gpus in [(100, 1000), (1000, 1000), (1000, 10000)])))
        self.assertEqual(series, {"a": [(100, 1), (1000, 1)]})

    def test_small_inputs_beside_the_published_method(self):
        text = tables.small_table(measured(entry("a/jobs:10/gpus:32", 1, "us"), entry("a@published/jobs:10/gpus:32", 3, "us")))
        self.assertIn("| `a` | 1 us | 3 us | 3x | - | - |", text)

    def test_placements_as_shares(self):
        text = tables.placements_table(measured(entry("steady/nodes:100", 1, jobs=200, survivors=800, moved=8, excess=1, unplaced=0)))
        self.assertIn("| `steady` | 100 | 200 | 1 ms | 1.00 % | 0.50 % | 0 |", text)

    def test_parts_go_between_their_markers(self):
        text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
        self.assertEqual(tables.filled_in(text, {"x": "new\n"}), "a\n<!-- x -->\nnew\n<!-- end of x -->\nb\n")
        with self.assertRaisesRegex(ValueError, "'y' once, found them 0 times"):
            tables.filled_in(text, {"y": ""})

    def test_every_table_has_its_place_in_the_readme(self):
        readme = (Path(tables.__file__).parent / "README.md").read_text(encoding="utf-8")
        for name in tables.TABLES:
            self.assertIn(f"<!-- {name} -->\n", readme)

    def test_plot(self):
        svg = growth_plot.growth_svg({"a": [(10, 1), (100, 10)]})
        self.assertIn('points="50,350 590,50"', svg)


if __name__ == "__main__":
    unittest.main()
