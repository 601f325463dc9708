"""The least cost of a placement problem, proven by an integer programme. Solver: HiGHS."""

import sys
from collections import Counter
from dataclasses import dataclass, field

from placement_problem import Job, Problem, cost_of

try:
    import highspy
except ImportError as missing:
    sys.exit(f"{sys.executable}: {missing}; expected highspy, which `./dev test` installs into .venv")


@dataclass(frozen=True)
class Optimum:
    excess: int
    moved: int
    workers: dict  # job name -> node of each worker


class NotProven(Exception):
    """The solver ran out of time."""


@dataclass
class LinearProgramme:
    """Minimises a sum of cost * column over integer columns from 0 to `upper`; built column by column and row by row."""

    cost: list = field(default_factory=list)
    upper: list = field(default_factory=list)
    low: list = field(default_factory=list)
    high: list = field(default_factory=list)
    starts: list = field(default_factory=lambda: [0])
    columns: list = field(default_factory=list)
    factors: list = field(default_factory=list)

    def column(self, upper, cost):
        self.upper.append(upper)
        self.cost.append(cost)
        return len(self.cost) - 1

    def row(self, low, terms, high):
        """low <= sum of factor * column <= high."""
        for column, factor in terms:
            self.columns.append(column)
            self.factors.append(factor)
        self.starts.append(len(self.columns))
        self.low.append(low)
        self.high.append(high)

    def build(self):
        programme = highspy.HighsLp()
        programme.num_col_, programme.num_row_ = len(self.cost), len(self.low)
        programme.col_cost_, programme.col_upper_ = self.cost, self.upper
        programme.col_lower_ = [0] * len(self.cost)
        programme.row_lower_, programme.row_upper_ = self.low, self.high
        programme.integrality_ = [highspy.HighsVarType.kInteger] * len(self.cost)
        matrix = programme.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.num_col_, matrix.num_row_ = programme.num_col_, programme.num_row_
        matrix.start_, matrix.index_, matrix.value_ = self.starts, self.columns, self.factors
        return programme


def solve(programme, seconds):
    """The value of each column in an optimum. Costs are integers, so a bound above cost - 1 proves it. Throws NotProven."""
    highs = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "threads": 1,
        "random_seed": 1,
        "time_limit": float(seconds),
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 0.99,
        "mip_feasibility_tolerance": 1e-9,
    }.items():
        if highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS refuses {option} = {value}")
    highs.passModel(programme)
    highs.run()
    status = highs.getModelStatus()
    if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit):
        raise ValueError(f"HiGHS: {highs.modelStatusToString(status)}")
    info = highs.getInfo()
    if info.mip_dual_bound <= info.objective_function_value - 0.999:
        raise NotProven(f"bound {info.mip_dual_bound}, best {info.objective_function_value} after {seconds} s")
    return [round(value) for value in highs.getSolution().col_value]


def fewest_excess(problem, seconds=600):
    """The proven least excess span, whatever has to move for it. Throws NotProven after `seconds`."""
    jobs = [Job(job.name, job.workers, ()) for job in problem.jobs]
    return optimum(Problem(problem.capacity, jobs), 1, seconds=seconds).excess


def optimum(problem, beta, least_excess=0, seconds=600):
    """The proven optimum of beta * excess span + moved workers (beta: an integer >= 1). Throws NotProven after `seconds`.

    `least_excess`: what fewest_excess() said; it makes the proof shorter.
    """
    if beta != int(beta) or beta < 1:
        raise ValueError(f"beta {beta}: expected an integer >= 1")
    programme = Programme(problem, int(beta))
    programme.require_excess(least_excess)
    values = solve(programme.linear.build(), seconds) if programme.linear.cost else []
    workers = programme.answer(values)
    excess, moved = cost_of(problem, workers)
    if programme.cost(values) != beta * excess + moved:
        raise ValueError(f"the programme says {programme.cost(values)}, its answer costs {beta} * {excess} + {moved}")
    return Optimum(excess, moved, workers)


class Programme:
    """Per job and node: x workers, y = 1 if there are any, s survivors stay; the objective is beta * sum(y) - sum(s).

    Jobs of one worker need no y and are all alike: only how many stay on each node matters; the others find room, as all
    jobs fit together.
    """

    def __init__(self, problem, beta):
        self.problem = problem
        self.beta = beta
        self.linear = LinearProgramme()
        self.on_node = {node: [] for node in problem.capacity}  # columns of workers
        self.used = []  # columns y
        self.staying = []  # columns s
        self.workers = {}  # job name -> node name -> column x
        self.fewest = sum(problem.fewest_nodes(job.workers) for job in problem.jobs if job.workers > 1)
        self.survivors = sum(sum(job.home().values()) for job in problem.jobs)
        for job in problem.jobs:
            if job.workers > 1:
                self.add_job(job)
        singles = [job.home() for job in problem.jobs if job.workers == 1]
        self.singles = {node: self.linear.column(gpus, -1) for node, gpus in sum(singles, Counter()).items()}
        self.staying += self.singles.values()
        for node, column in self.singles.items():
            self.on_node[node].append(column)
        for node, gpus in problem.capacity.items():
            self.linear.row(0, [(column, 1) for column in self.on_node[node]], gpus)

    def require_excess(self, least):
        self.linear.row(self.fewest + least, [(y, 1) for y in self.used], highspy.kHighsInf)

    def cost(self, values):
        """beta * excess + moved."""
        excess = sum(values[y] for y in self.used) - self.fewest
        return self.beta * excess + self.survivors - sum(values[s] for s in self.staying)

    def add_job(self, job):
        home = job.home()
        self.workers[job.name] = {}
        used = []
        for node, gpus in self.problem.capacity.items():
            most = min(job.workers, gpus)
            x, y = self.linear.column(most, 0), self.linear.column(1, self.beta)
            self.linear.row(0, [(y, most), (x, -1)], highspy.kHighsInf)
            if home[node]:
                s = self.linear.column(home[node], -1)
                self.staying.append(s)
                self.linear.row(0, [(x, 1), (s, -1)], highspy.kHighsInf)
                self.linear.row(0, [(y, home[node]), (s, -1)], highspy.kHighsInf)
            self.workers[job.name][node] = x
            self.on_node[node].append(x)
            used.append(y)
        self.linear.row(job.workers, [(x, 1) for x in self.workers[job.name].values()], job.workers)
        self.linear.row(self.problem.fewest_nodes(job.workers), [(y, 1) for y in used], highspy.kHighsInf)
        self.used += used

    def answer(self, values):
        """The node of each worker by number, per job name."""
        free = dict(self.problem.capacity)
        staying = {node: values[column] for node, column in self.singles.items()}
        counts = {}
        for job in self.problem.jobs:
            if job.workers > 1:
                counts[job.name] = Counter({node: values[x] for node, x in self.workers[job.name].items()})
            elif staying.get(job.before[0] if job.before else None, 0) > 0:
                counts[job.name] = Counter([job.before[0]])
                staying[job.before[0]] -= 1
            for node, workers in counts.get(job.name, {}).items():
                free[node] -= workers
        gaps = [node for node, gpus in free.items() for _ in range(gpus)]
        for job in self.problem.jobs:
            if job.name not in counts:
                counts[job.name] = Counter([gaps.pop()])
        return {job.name: number_workers(job, counts[job.name]) for job in self.problem.jobs}


def number_workers(job, counts):
    """The node of each worker, so many on each node; as many survivors as possible stay."""
    left = Counter(counts)
    nodes = [None] * job.workers
    for worker, node in enumerate(job.before):
        if node is not None and left[node] > 0:
            nodes[worker] = node
            left[node] -= 1
    others = list(left.elements())
    return [node if node is not None else others.pop() for node in nodes]
