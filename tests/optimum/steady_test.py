"""Compares the placer `steady` of a voda program with the proven optimum on seeded random inputs."""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from integer_programme import NotProven, fewest_excess, optimum
from placement_problem import WrongAnswer, cost_of, read_problem
from random_snapshots import random_snapshot

MOST_RATIO = 1.02
MOST_EXCESS_PER_100 = 2


@dataclass
class Tally:
    """What the answers at one beta cost, summed, and the optima."""

    beta: int
    counts_moves: bool = True
    inputs: int = 0
    optimal: int = 0
    cost: int = 0
    least: int = 0

    def cost_of(self, excess, moved):
        return self.beta * excess + moved if self.counts_moves else excess

    def add(self, cost, least):
        self.inputs += 1
        self.optimal += cost == least
        self.cost += cost
        self.least += least

    def fault(self):
        """What is wrong with the sums, or None."""
        if self.counts_moves and self.cost > MOST_RATIO * self.least:
            return f"{self}; expected at most {MOST_RATIO} x"
        allowed = MOST_EXCESS_PER_100 * self.inputs / 100
        if not self.counts_moves and self.cost - self.least > allowed:
            return f"{self}; expected at most {allowed:g} more"
        return None

    def __str__(self):
        if not self.counts_moves:
            return f"beta {self.beta}: excess {self.cost}, optimum {self.least}, {self.cost - self.least} more"
        ratio = f" = {self.cost / self.least:.4f} x optimum" if self.least else ""
        return f"beta {self.beta}: {self.cost} / {self.least}{ratio}, {self.optimal} optimal"


@dataclass
class Comparison:
    program: str
    seconds: float
    keep: Path | None
    faults: list = field(default_factory=list)
    # At beta 1000 a node is worth more than all moves: only the excess is looked at.
    tallies: tuple = field(default_factory=lambda: (Tally(1), Tally(4), Tally(8), Tally(1000, counts_moves=False)))

    def ask(self, snapshots, beta):
        """The answers of steady, one for each snapshot."""
        command = [self.program, "place", "--placer", f"steady:beta={beta}", "--workers", "--jsonl", "-"]
        lines = "".join(json.dumps(snapshot) + "\n" for snapshot in snapshots)
        output = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in output.stdout.splitlines()]
        if output.returncode != 0 or len(answers) != len(snapshots):
            sys.exit(f"{' '.join(command)}: exit status {output.returncode}, {len(answers)} answers\n{output.stderr}")
        return answers

    def run(self, seeds):
        snapshots = [random_snapshot(seed) for seed in seeds]
        answers = zip(*[self.ask(snapshots, tally.beta) for tally in self.tallies])
        for seed, snapshot, answers_to_it in zip(seeds, snapshots, answers):
            try:
                self.compare(seed, snapshot, answers_to_it)
            except (WrongAnswer, NotProven) as fault:
                self.faults.append(f"seed {seed}: {type(fault).__name__}: {fault}")
        self.faults += [fault for tally in self.tallies if (fault := tally.fault())]

    def compare(self, seed, snapshot, answers):
        problem = read_problem(snapshot)
        least_excess = fewest_excess(problem, self.seconds)
        for tally, answer in zip(self.tallies, answers):
            excess, moved = cost_of(problem, answer["workers"])
            told = answer["cost"]["excess_span"], answer["cost"]["moved"]
            if told != (excess, moved):
                raise WrongAnswer(f"beta {tally.beta}: (excess, moved) = {told} it says, expected {excess, moved}")
            if tally.counts_moves:
                best = optimum(problem, tally.beta, least_excess, self.seconds)
                least = tally.cost_of(best.excess, best.moved)
            else:
                best, least = None, least_excess
            cost = tally.cost_of(excess, moved)
            if cost < least:
                raise WrongAnswer(f"beta {tally.beta}: {cost} is below the proven optimum {least}")
            tally.add(cost, least)
            if cost > least:
                print(f"seed {seed}, beta {tally.beta}: {cost}, optimum {least}", flush=True)
                self.keep_input(f"seed{seed}_beta{tally.beta}", snapshot, best)

    def keep_input(self, name, snapshot, best):
        if self.keep is None:
            return
        self.keep.mkdir(parents=True, exist_ok=True)
        (self.keep / f"{name}.json").write_text(json.dumps(snapshot) + "\n", encoding="utf-8")
        if best is not None:
            (self.keep / f"{name}.optimum.json").write_text(json.dumps(best.workers) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--first", type=int, default=0, help="seed of the first input")
    parser.add_argument("--inputs", type=int, default=300 if "VODA_TEST_FULL" in os.environ else 100)
    parser.add_argument("--seconds", type=float, default=600, help="for each proof; one that takes longer is a fault")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write inputs whose answer is not optimal there")
    options = parser.parse_args()
    comparison = Comparison(options.program, options.seconds, options.keep)
    comparison.run(range(options.first, options.first + options.inputs))
    for fault in comparison.faults:
        print(f"FAULT {fault}")
    print(f"{options.inputs} inputs, {len(comparison.faults)} faults; " + "; ".join(map(str, comparison.tallies)))
    return 1 if comparison.faults else 0


if __name__ == "__main__":
    sys.exit(main())
