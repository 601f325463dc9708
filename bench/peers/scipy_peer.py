"""Solves the instances that the benchmarks wrote (bench/instances/solver_file.hpp) with SciPy and checks our optimum.

Prints JSON as Google Benchmark does, one entry per instance, named FAMILY@scipy/SIZES; CPU time of the solve alone, of several
runs the best. An instance on which SciPy finds another optimum is an entry with an error.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

RUNS = 3
LONG_S = 0.5  # what takes longer runs once


def read_instance(path):
    """The header and a function from its arrays' types and lengths, in order, to the arrays."""
    with path.open("rb") as file:
        header = json.loads(file.readline())
        rest = file.read()
    position = 0

    def take(kind, count):
        nonlocal position
        array = np.frombuffer(rest, dtype=kind, count=count, offset=position)
        position += array.nbytes
        return array

    return header, take


def dense_problem(header, take):
    rows, columns = header["rows"], header["columns"]
    cost = take(header["type"], rows * columns).reshape(rows, columns).astype(np.float64)
    return lambda: cost[linear_sum_assignment(cost)].sum()


def sparse_problem(header, take):
    """SciPy wants a full matching to exist and no zeros: costs are shifted to 1 and above, and where rows may stay unmatched
    each gets a column of its own that is worth nothing."""
    rows, columns, entries = header["rows"], header["columns"], header["entries"]
    begin, column = take("int32", rows + 1), take("int32", entries)
    value = take("int64", entries)
    row = np.repeat(np.arange(rows), np.diff(begin))
    sign = -1 if header["objective"] == "maximize" else 1
    cost = sign * value
    if header["coverage"] == "partial":
        row = np.concatenate([row, np.arange(rows)])
        column = np.concatenate([column, columns + np.arange(rows)])
        cost = np.concatenate([cost, np.zeros(rows, dtype=np.int64)])
        columns += rows
    shift = 1 - cost.min(initial=0)
    row, column, cost = best_of_repeated(row, column, cost + shift)
    matrix = csr_array((cost.astype(np.float64), (row, column)), shape=(rows, columns))

    def solve():
        of_row, of_column = min_weight_full_bipartite_matching(matrix)
        chosen = np.asarray(matrix[of_row, of_column]).sum()
        return sign * (chosen - shift * len(of_row))

    return solve


def best_of_repeated(row, column, cost):
    """SciPy would add repeated pairs up."""
    order = np.lexsort((cost, column, row))
    row, column, cost = row[order], column[order], cost[order]
    is_first = np.ones(len(row), dtype=bool)
    is_first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    return row[is_first], column[is_first], cost[is_first]


def measure(path):
    header, take = read_instance(path)
    solve = dense_problem(header, take) if header["kind"] == "dense" else sparse_problem(header, take)
    times = []
    while len(times) < RUNS and sum(times) < LONG_S:
        start = time.process_time()
        optimum = solve()
        times.append(time.process_time() - start)
    family, _, sizes = header["name"].partition("/")
    name = f"{family}@scipy/{sizes}"
    entry = {"name": name, "run_name": name, "run_type": "iteration", "iterations": len(times), "time_unit": "ms"}
    entry["cpu_time"] = entry["real_time"] = min(times) * 1e3
    if round(optimum) != header["optimum"]:
        entry["error_occurred"] = True
        entry["error_message"] = f"SciPy's optimum is {optimum:.0f}, ours {header['optimum']}"
    return entry


def main():
    paths = sorted(Path(sys.argv[1]).glob("*.instance"))
    print(json.dumps({"benchmarks": [measure(path) for path in paths]}, indent=1))


if __name__ == "__main__":
    main()
