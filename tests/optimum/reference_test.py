"""The reference itself: optima known by hand, and those of trying everything."""

import itertools
import random
import unittest
from collections import Counter

from integer_programme import fewest_excess, optimum
from placement_problem import Job, Problem, WrongAnswer, cost_of, read_problem
from random_snapshots import MOST_GPUS, random_snapshot


def problem_of(gpus, *jobs):
    """Nodes a, b, c, ...; a job is (workers, nodes of its survivors as text, "-" for one that must leave)."""
    capacity = dict(zip("abcdefgh", gpus))
    named = [
        Job(f"j{number}", workers, tuple(None if node == "-" else node for node in before))
        for number, (workers, before) in enumerate(jobs)
    ]
    return Problem(capacity, tuple(named))


def ways(workers, gpus):
    """Every way to put so many workers on nodes with room for `gpus` each."""
    return [counts for counts in itertools.product(*[range(min(workers, room) + 1) for room in gpus]) if sum(counts) == workers]


def try_everything(problem, beta):
    """The least beta * excess + moved, and the least excess."""
    nodes = list(problem.capacity)
    least, least_excess = float("inf"), float("inf")
    for answer in itertools.product(*[ways(job.workers, problem.capacity.values()) for job in problem.jobs]):
        if any(sum(held) > gpus for held, gpus in zip(zip(*answer), problem.capacity.values())):
            continue
        excess = moved = 0
        for job, counts in zip(problem.jobs, answer):
            excess += sum(count > 0 for count in counts) - problem.fewest_nodes(job.workers)
            moved += sum(max(0, job.home()[node] - count) for node, count in zip(nodes, counts))
        least = min(least, beta * excess + moved)
        least_excess = min(least_excess, excess)
    return least, least_excess


def random_problem(rng):
    """2 or 3 nodes of up to 4 GPUs, up to 4 jobs, some of whose workers are there already."""
    gpus = [rng.randint(1, 4) for _ in range(rng.randint(2, 3))]
    free, total = list(gpus), sum(gpus)
    jobs = []
    while total > 0 and len(jobs) < 4:
        workers = rng.randint(1, min(total, 6))
        total -= workers
        before = ""
        for _ in range(rng.choice([0, workers, rng.randint(0, workers)])):
            node = rng.choice([number for number, room in enumerate(free) if room > 0])
            free[node] -= 1
            before += rng.choice(["abc"[node]] * 5 + ["-"])
        jobs.append((workers, before))
    return problem_of(gpus, *jobs)


class HandMade(unittest.TestCase):
    def expect(self, problem, beta, excess, moved):
        best = optimum(problem, beta)
        self.assertEqual((best.excess, best.moved), (excess, moved))

    def test_nothing_changed(self):
        self.expect(problem_of([4, 4], (3, "aaa"), (4, "bbbb")), 8, 0, 0)

    def test_a_new_job_goes_into_the_gap_that_holds_it(self):
        self.expect(problem_of([4, 4], (2, "aa"), (3, "bbb"), (2, "")), 8, 0, 0)

    def test_two_moves_save_a_node_from_beta_3_on(self):
        problem = problem_of([4, 4], (2, "aa"), (2, "bb"), (4, ""))
        self.expect(problem, 1, 1, 0)
        self.expect(problem, 3, 0, 2)
        self.expect(problem, 1000, 0, 2)

    def test_a_single_worker_moves_for_a_whole_job(self):
        self.expect(problem_of([2, 2], (1, "a"), (1, "b"), (2, "")), 4, 0, 1)

    def test_who_must_leave_is_free(self):
        self.expect(problem_of([4, 4], (3, "--a"), (4, "bbbb")), 4, 0, 0)

    def test_a_job_beyond_one_node_has_no_excess_on_two(self):
        self.expect(problem_of([8, 4, 4], (10, "")), 4, 0, 0)
        self.expect(problem_of([8, 4, 4], (8, "bbbbcccc")), 4, 1, 0)
        self.expect(problem_of([8, 4, 4], (8, "bbbbcccc")), 9, 0, 8)

    def test_three_jobs_of_two_thirds_cannot_all_be_whole(self):
        problem = problem_of([3, 3], (2, ""), (2, ""), (2, ""))
        self.expect(problem, 4, 1, 0)
        self.assertEqual(fewest_excess(problem), 1)

    def test_the_cost_counts_workers_by_number(self):
        problem = problem_of([4, 4], (3, "aab"))
        self.assertEqual(cost_of(problem, {"j0": ["a", "a", "b"]}), (1, 0))
        self.assertEqual(cost_of(problem, {"j0": ["b", "a", "a"]}), (1, 2))
        self.assertEqual(cost_of(problem, {"j0": ["a", "a", "a"]}), (0, 1))

    def test_an_answer_that_breaks_a_rule_is_refused(self):
        problem = problem_of([2, 2], (2, ""), (2, ""))
        for answer in (
            {"j0": ["a", "a"], "j1": ["a", "b"]},
            {"j0": ["a", "a"], "j1": ["c", "b"]},
            {"j0": ["a", "a"], "j1": ["b"]},
            {"j0": ["a", "a"]},
            {"j0": ["a", "a"], "j1": ["b", "b"], "j2": []},
        ):
            self.assertRaises(WrongAnswer, cost_of, problem, answer)


class ReadSnapshot(unittest.TestCase):
    def read(self, nodes, *jobs):
        """A job is (submitted, GPUs, nodes before)."""
        return read_problem(
            {
                "nodes": nodes,
                "jobs": [{"id": f"j{n}", "submitted": job[0], "current": list(job[2])} for n, job in enumerate(jobs)],
                "allocation": {f"j{n}": job[1] for n, job in enumerate(jobs)},
            }
        )

    def test_workers_on_cordoned_and_lost_nodes_must_leave(self):
        problem = self.read([{"id": "a", "gpus": 4}, {"id": "b", "gpus": 4, "schedulable": False}], (0, 4, "abx"))
        self.assertEqual(problem.capacity, {"a": 4})
        self.assertEqual(problem.jobs[0].before, ("a", None, None))

    def test_a_smaller_job_loses_its_highest_numbers(self):
        self.assertEqual(self.read([{"id": "a", "gpus": 4}], (0, 2, "aaaa")).jobs[0].before, ("a", "a"))

    def test_from_a_node_that_shrank_the_latest_leave_first(self):
        problem = self.read([{"id": "a", "gpus": 3}, {"id": "b", "gpus": 4}], (1, 3, "aba"), (0, 2, "aa"))
        self.assertEqual({job.name: job.before for job in problem.jobs}, {"j1": ("a", "a"), "j0": ("a", "b", None)})

    def test_what_does_not_fit_is_refused(self):
        self.assertRaises(ValueError, self.read, [{"id": "a", "gpus": 1}], (0, 2, ""))


class AgainstTryingEverything(unittest.TestCase):
    def test_the_optima_are_equal(self):
        rng = random.Random(1)
        for _ in range(60):
            problem = random_problem(rng)
            for beta in (1, 2, 8):
                best = optimum(problem, beta)
                cost, excess = try_everything(problem, beta)
                self.assertEqual(beta * best.excess + best.moved, cost, problem)
            self.assertEqual(fewest_excess(problem), excess, problem)


class RandomSnapshots(unittest.TestCase):
    def test_they_are_what_they_say(self):
        disturbed = moved = 0
        for seed in range(200):
            snapshot = random_snapshot(seed)
            problem = read_problem(snapshot)  # refuses what does not fit
            gpus = sum(problem.capacity.values())
            self.assertLessEqual(len(snapshot["nodes"]), 16)
            self.assertLessEqual(gpus, MOST_GPUS)
            self.assertGreaterEqual(sum(job.workers for job in problem.jobs), 0.6 * gpus - 1)
            moved += any(None in job.before for job in problem.jobs)
            disturbed += any(not node.get("schedulable", True) for node in snapshot["nodes"])
            kept = Counter(node for job in problem.jobs for node in job.home().elements())
            self.assertTrue(all(kept[node] <= held for node, held in problem.capacity.items()))
        self.assertGreater(moved, 20)
        self.assertGreater(disturbed, 10)

    def test_the_same_seed_gives_the_same(self):
        self.assertEqual(random_snapshot(7), random_snapshot(7))
        self.assertNotEqual(random_snapshot(7), random_snapshot(8))


if __name__ == "__main__":
    unittest.main()
