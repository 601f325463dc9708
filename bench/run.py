"""Runs the built benchmarks and SciPy beside them, prints the tables, and fails when an answer is wrong.

Called by `./dev bench`, which builds first. With --compare it runs two builds in turns and prints ratios.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import growth_plot
import tables
from measurements import Key, ordered, read, with_difference, with_sums
from targets import SIMULATION_S

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "bench/README.md"
PLOT = ROOT / "bench/growth.svg"
RESULTS = ROOT / "build/bench/results"
PLOTTED = ("elastic_fifo", "elastic_tiresias", "ffdl", "afs_l", "binding", "packing", "steady", "dense_uniform", "sparse_full")
ROUNDS = 6  # of a comparison
LONG_MS = 1000  # what takes longer is compared once
NOTABLE = 1.1  # a ratio that is marked


def programs_in(folder):
    found = sorted(folder.glob("*_bench"))
    if not found:
        sys.exit(f"{folder}: no benchmark programs; ./dev bench builds them")
    return found


def environment(is_full, instances=None):
    result = dict(os.environ)
    result.pop("VODA_BENCH_FULL", None)
    if is_full:
        result["VODA_BENCH_FULL"] = "1"
    if instances:
        result["VODA_BENCH_INSTANCES"] = str(instances)
    return result


def listed(program, pattern, is_full):
    """The names of a program's benchmarks; the empty list when the pattern selects none."""
    command = [program, "--benchmark_list_tests=true", f"--benchmark_filter={pattern}"]
    output = subprocess.run(command, env=environment(is_full), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return [line for line in output.splitlines() if line and "Failed to match" not in line]


def run_program(program, arguments, out, env):
    command = [program, *arguments, f"--benchmark_out={out}", "--benchmark_out_format=json"]
    if subprocess.run(command, env=env, check=False).returncode != 0:
        sys.exit(f"FAILED: {program.name} ended with an error")
    return out.read_text()


def run_all(options):
    """Everything once: our programs, then SciPy on the instances that they wrote. Returns the JSON of each."""
    instances = RESULTS / "instances"
    instances.mkdir(parents=True, exist_ok=True)
    for old in [*RESULTS.glob("*.json"), *instances.glob("*.instance")]:
        old.unlink()
    env = environment(options.full, instances)
    documents = []
    arguments = [f"--benchmark_filter={options.filter}", f"--benchmark_min_time={0.5 if options.full else 0.1}"]
    for program in programs_in(options.programs):
        if listed(program, options.filter, options.full):
            documents.append(run_program(program, arguments, RESULTS / f"{program.name}.json", env))
    if not documents:
        sys.exit(f"no benchmark matches '{options.filter}'")
    if any(instances.iterdir()):
        print("SciPy, on the same instances ...", flush=True)
        scipy = subprocess.run([sys.executable, "-B", ROOT / "bench/peers/scipy_peer.py", instances], stdout=subprocess.PIPE, text=True, check=False)
        if scipy.returncode != 0:
            sys.exit("FAILED: bench/peers/scipy_peer.py ended with an error")
        documents.append(scipy.stdout)
        (RESULTS / "scipy.json").write_text(scipy.stdout)
        for file in instances.glob("*.instance"):
            file.unlink()
    return documents


def machine(documents):
    """One sentence: where and when this was measured."""
    context = json.loads(documents[0]).get("context", {})
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "?")
    compiler = subprocess.run(["g++", "-dumpfullversion"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    load = context.get("load_avg") or [0]
    return (
        f"{model}, {context.get('num_cpus', '?')} cores, load average {load[0]:.1f} at the start; g++ {compiler} -O2 for plain x86-64; "
        f"commit {commit}, {context.get('date', '?')[:10]}. CPU times of one thread.\n"
    )


def last_run():
    documents = [path.read_text() for path in sorted(RESULTS.glob("*.json"))]
    return documents or sys.exit(f"{RESULTS}: no results of an earlier run")


def report(options):
    documents = last_run() if options.tables else run_all(options)
    measurements = with_difference(read(documents), "binding", "repack", "packing")
    for prefix in ("simulate_", "placed_"):
        measurements = with_sums(measurements, prefix + "all", prefix, SIMULATION_S)
    measurements = ordered(measurements)
    parts = {name: make(measurements) for name, make in tables.TABLES.items()}
    parts["machine"] = machine(documents)
    for name, part in parts.items():
        print(f"\n== {name}\n{part}", end="")
    if options.write:
        README.write_text(tables.filled_in(README.read_text(), parts))
        series = tables.growth_series(measurements)
        PLOT.write_text(growth_plot.growth_svg({name: points for name, points in series.items() if name in PLOTTED}))
    faults = tables.faults(measurements)
    print("\n".join(f"FAILED: {fault}" for fault in faults))
    return 1 if faults else 0


def measure_once(program, name, options, out):
    env = environment(options.full)
    command = [program, f"--benchmark_filter=^{name}$", "--benchmark_min_time=0.05", f"--benchmark_out={out}", "--benchmark_out_format=json"]
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    (measurement,) = read([out.read_text()]).values()
    return measurement


def compare_one(base, ours, name, options):
    """(shortest ms of the base, of ours, error or empty), run in turns: other work on the machine only makes runs longer."""
    out = ROOT / "build/bench/compare.json"
    runs = ([], [])
    for number in range(ROUNDS):
        turns = list(enumerate((base, ours)))
        for side, program in turns if number % 2 == 0 else reversed(turns):
            measurement = measure_once(program, name, options, out)
            if measurement.error:
                return None, None, f"{('base', 'ours')[side]}: {measurement.error}"
            runs[side].append(measurement.ms)
        if max(runs[0][0], runs[1][0]) > LONG_MS:
            break
    return min(runs[0]), min(runs[1]), ""


def compare(options):
    base_programs = {program.name: program for program in programs_in(options.compare)}
    rows, has_error = [], False
    for ours in programs_in(options.programs):
        base = base_programs.get(ours.name)
        if base is None:
            print(f"{ours.name}: the base has no such program, or it does not build there")
            continue
        known = set(listed(base, options.filter, options.full))
        for name in listed(ours, options.filter, options.full):
            if name not in known or Key.parse(name).peer:
                continue
            before, now, error = compare_one(base, ours, name, options)
            has_error |= bool(error)
            if error:
                rows.append([f"`{Key.parse(name)}`", error, "", ""])
                continue
            ratio = before / now
            mark = "faster" if ratio > NOTABLE else "**slower**" if ratio < 1 / NOTABLE else ""
            rows.append([f"`{Key.parse(name)}`", tables.duration(before), tables.duration(now), f"{ratio:.2f} {mark}".strip()])
            print(f"{name}: {ratio:.2f}", flush=True)
    print("\n" + tables.table(["benchmark", "base", "now", "base / now"], rows))
    return 1 if has_error else 0


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="larger peers and the largest sizes: up to an hour")
    parser.add_argument("--filter", default=".*", metavar="REGEX", help="only benchmarks whose name matches")
    parser.add_argument("--write", action="store_true", help="put the tables into bench/README.md")
    parser.add_argument("--tables", action="store_true", help="run nothing: tables of the last run")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/bench/bench", help="folder of our programs")
    parser.add_argument("--compare", type=Path, metavar="FOLDER", help="folder of the programs to compare with")
    options = parser.parse_args()
    if options.write and (options.compare or options.filter != ".*"):
        parser.error("--write needs a whole run: neither --filter nor --compare")
    sys.exit(compare(options) if options.compare else report(options))


if __name__ == "__main__":
    main()
