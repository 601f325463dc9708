"""A placement problem with one GPU per worker as plain numbers, read from a snapshot, and what an answer to it costs.

Written from the specification alone; nothing here asks the program under test.
"""

from collections import Counter
from dataclasses import dataclass


class WrongAnswer(Exception):
    """The answer breaks a rule of the placement problem."""


@dataclass(frozen=True)
class Job:
    name: str
    workers: int
    before: tuple  # node name of survivor 0, 1, ...; None where it cannot stay

    def home(self):
        """Survivors that may stay, per node name."""
        return Counter(node for node in self.before if node is not None)


@dataclass(frozen=True)
class Problem:
    capacity: dict  # node name -> schedulable GPUs, in the order of the snapshot, nodes without any left out
    jobs: tuple  # in order of arrival

    def fewest_nodes(self, workers):
        """Nodes that hold so many workers when all are empty."""
        held = count = 0
        for gpus in sorted(self.capacity.values(), reverse=True):
            if held >= workers:
                break
            held += gpus
            count += 1
        return count


def read_problem(snapshot):
    """The problem of a snapshot whose jobs have `current` as a list of nodes and fit into the nodes together."""
    capacity = {node["id"]: node["gpus"] for node in snapshot["nodes"] if node.get("schedulable", True) and node["gpus"] > 0}
    arrivals = sorted(snapshot["jobs"], key=lambda job: job.get("submitted", 0))
    before = {}
    for job in arrivals:
        survivors = job.get("current", [])[: snapshot["allocation"].get(job["id"], 0)]
        before[job["id"]] = [node if node in capacity else None for node in survivors]
    load = Counter(node for nodes in before.values() for node in nodes)
    for job in reversed(arrivals):  # on a node that shrank, the latest arrivals leave first, highest numbers first
        nodes = before[job["id"]]
        for worker in reversed(range(len(nodes))):
            if nodes[worker] is not None and load[nodes[worker]] > capacity[nodes[worker]]:
                load[nodes[worker]] -= 1
                nodes[worker] = None
    sizes = snapshot["allocation"]
    jobs = [Job(job["id"], sizes[job["id"]], tuple(before[job["id"]])) for job in arrivals if sizes.get(job["id"], 0) > 0]
    if sum(job.workers for job in jobs) > sum(capacity.values()):
        raise ValueError(f"{sum(job.workers for job in jobs)} workers, {sum(capacity.values())} GPUs: expected that all fit")
    return Problem(capacity, tuple(jobs))


def cost_of(problem, workers):
    """(excess span, moved workers) of an answer: the node of each worker by number, per job name. Throws WrongAnswer."""
    load = Counter(node for nodes in workers.values() for node in nodes)
    for node, used in load.items():
        if used > problem.capacity.get(node, 0):
            raise WrongAnswer(f"{node} holds {used} workers, expected at most {problem.capacity.get(node, 0)}")
    excess = moved = 0
    for job in problem.jobs:
        after = workers.get(job.name, [])
        if len(after) != job.workers:
            raise WrongAnswer(f"{job.name} has {len(after)} workers, expected {job.workers}")
        excess += len(set(after)) - problem.fewest_nodes(job.workers)
        moved += sum(old is not None and old != new for old, new in zip(job.before, after))
    if len(workers) != len(problem.jobs):
        raise WrongAnswer(f"{len(workers)} jobs, expected {len(problem.jobs)}")
    return excess, moved
