"""Seeded snapshots of small clusters: what ran before, and what changed since."""

import random
from collections import Counter

MOST_GPUS = 128


def random_snapshot(seed):
    """3 to 16 nodes of one size or of several, at most 128 GPUs, 60 % to 100 % of them asked for, everything fits.

    Jobs came, went, grew and shrank for some rounds in which nobody moved; the last such round is the problem: who is new
    has no place yet, and now and then a node was cordoned, lost or shrank.
    """
    return Cluster(random.Random(seed)).snapshot()


class Cluster:
    def __init__(self, rng):
        self.rng = rng
        self.gpus = node_sizes(rng)  # node name -> GPUs
        self.jobs = {}  # job name -> node of each worker, in order of arrival
        self.sizes = {}  # job name -> workers asked for
        self.arrived = 0
        self.exponent = rng.choice([1.0, 1.5, 1.85, 2.5])
        self.load = rng.choice([0.6, 0.75, 0.9, 0.95, 0.98, 1.0])
        self.churn = rng.choice([0.1, 0.2, 0.4])
        self.usable = dict(self.gpus)

    def snapshot(self):
        for _ in range(self.rng.randint(2, 5)):
            self.change()
            self.settle()
        self.change()
        self.disturb_nodes()
        self.trim()
        return {
            "version": 1,
            "nodes": [self.node(name) for name in self.gpus if self.usable.get(name) is not None],
            "jobs": [self.job(number, name) for number, name in enumerate(self.sizes)],
            "allocation": dict(self.sizes),
        }

    def node(self, name):
        if self.usable[name] == 0:
            return {"id": name, "gpus": self.gpus[name], "schedulable": False}
        return {"id": name, "gpus": self.usable[name]}

    def job(self, number, name):
        job = {"id": name, "submitted": number, "max_gpus": MOST_GPUS}
        if self.jobs[name]:
            job["current"] = self.jobs[name]
        return job

    def change(self):
        """Some jobs finish, grow or shrink; others arrive until the load is reached."""
        for name in list(self.sizes):
            if self.rng.random() >= self.churn:
                continue
            kind = self.rng.choice(["finish", "grow", "shrink"])
            if kind == "finish":
                del self.sizes[name], self.jobs[name]
            elif kind == "grow":
                room = self.wanted() - sum(self.sizes.values())
                self.sizes[name] += self.rng.randint(0, max(0, min(room, self.sizes[name])))
            else:
                self.sizes[name] = self.rng.randint(1, self.sizes[name])
        while (room := self.wanted() - sum(self.sizes.values())) > 0:
            self.arrived += 1
            name = f"j{self.arrived}"
            self.sizes[name] = min(room, self.size())
            self.jobs[name] = []

    def wanted(self):
        return int(self.load * sum(gpus or 0 for gpus in self.usable.values()))

    def size(self):
        """1 to 64 workers, s with a probability as s^-exponent."""
        sizes = range(1, 1 + min(64, sum(self.gpus.values()) // 2))
        return self.rng.choices(sizes, [size**-self.exponent for size in sizes])[0]

    def settle(self):
        """The new workers go into the gaps: mostly best fit, at times anywhere, as after a history that nobody knows."""
        for name, size in self.sizes.items():
            del self.jobs[name][size:]
        for name in sorted(self.sizes, key=lambda name: -self.sizes[name]):
            while len(self.jobs[name]) < self.sizes[name]:
                missing = self.sizes[name] - len(self.jobs[name])
                node, free = self.gap(missing)
                self.jobs[name] += [node] * min(missing, free)

    def gap(self, missing):
        load = Counter(node for nodes in self.jobs.values() for node in nodes)
        free = [(gpus - load[node], node) for node, gpus in self.gpus.items() if gpus > load[node]]
        holding = [entry for entry in free if entry[0] >= missing]
        if self.rng.random() < 0.15:
            chosen = self.rng.choice(free)
        else:
            chosen = min(holding) if holding else max(free)
        return chosen[1], chosen[0]

    def disturb_nodes(self):
        """In a third of the inputs one node in eight is cordoned, lost or smaller than it was."""
        if self.rng.random() >= 1 / 3:
            return
        for name in self.rng.sample(list(self.gpus), max(1, len(self.gpus) // 8)):
            kind = self.rng.choice(["cordon", "lose", "shrink"])
            self.usable[name] = {"cordon": 0, "lose": None, "shrink": self.gpus[name] // 2}[kind]

    def trim(self):
        """Jobs end, the latest first, until the others fit again."""
        for name in reversed(list(self.sizes)):
            over = sum(self.sizes.values()) - sum(gpus or 0 for gpus in self.usable.values())
            if over <= 0:
                return
            self.sizes[name] -= min(over, self.sizes[name])
            if self.sizes[name] == 0:
                del self.sizes[name], self.jobs[name]


def node_sizes(rng):
    """Node name -> GPUs."""
    if rng.random() < 0.5:
        sizes = [rng.choice([4, 8])] * rng.randint(3, 16)
    else:
        sizes = [rng.choice([2, 4, 8, 16]) for _ in range(rng.randint(3, 16))]
    while sum(sizes) > MOST_GPUS:
        sizes.pop()
    return {f"n{number}": gpus for number, gpus in enumerate(sizes)}
