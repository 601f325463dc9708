"""Turns what a run measured into the tables of bench/README.md and writes them between its markers."""

import math
import re

from measurements import Key, fitted_exponent
from targets import TARGETS

WORST_ALLOWED = 20  # times the random case
SMALLEST_FITTED = 100  # smaller sizes say nothing about growth
BARS = "▁▂▃▄▅▆▇█"


def duration(ms):
    """Three significant digits with a fitting unit."""
    if ms is None or math.isnan(ms):
        return "-"
    for limit, unit, factor in ((1e-3, "ns", 1e6), (1.0, "us", 1e3), (1e3, "ms", 1.0)):
        if abs(ms) < limit:
            return f"{ms * factor:.3g} {unit}"
    return f"{ms / 1e3:.3g} s" if ms < 1e6 else f"{ms / 1e3:,.0f} s"


def times(ratio):
    if ratio is None or math.isnan(ratio):
        return "-"
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


def table(header, rows):
    """A Markdown table; nothing for no rows."""
    if not rows:
        return "Not measured.\n"
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def sizes_text(key):
    return ", ".join(f"{number:,} {label}" if label else f"{number:,}" for label, number in key.sizes)


def ms_of(measurements, key):
    found = measurements.get(key)
    return found.ms if found and not found.error else None


def broken_limits(measurement, limits):
    """Those limits of a target that a counter exceeds, as text."""
    broken = []
    for name, limit in (limits or {}).items():
        counter, whole = name if isinstance(name, tuple) else (name, None)
        value = measurement.counters.get(counter, math.nan)
        if whole:
            value /= measurement.counters.get(whole, math.nan)
        if not value <= limit:
            broken.append(f"{counter} {value:.3g} > {limit:g}")
    return broken


def judge(target, measurements):
    """A row of the table of targets, or None when our side was not measured."""
    key = Key.parse(target.benchmark)
    ours = measurements.get(key)
    if ours is None:
        return None
    if ours.error:
        return [target.work, f"**{ours.error}**", duration(target.ms), "-", "-", "-", "**no**"]
    peer = ms_of(measurements, Key(key.family, key.sizes, key.case, target.peer)) if target.peer else None
    ratio = peer / ours.ms if peer else None
    broken = broken_limits(ours, target.at_most)
    if target.ratio and ratio is not None:
        is_met = ratio >= target.ratio
    else:
        is_met = ours.ms <= target.ms
    verdict = "yes" if is_met and not broken else "**no**"
    return [
        target.work,
        duration(ours.ms),
        duration(target.ms),
        f"{target.peer} {duration(peer)}" if peer else "-",
        times(ratio),
        times(target.ratio) if target.ratio else "-",
        "; ".join([verdict, *broken]),
    ]


def targets_table(measurements):
    rows = [judge(target, measurements) for target in TARGETS]
    header = ["work", "time", "target", "peer, same run", "ratio", "ratio asked", "met"]
    return table(header, [row for row in rows if row])


def peers_table(measurements):
    rows = []
    for key, measurement in measurements.items():
        ours = ms_of(measurements, Key(key.family, key.sizes, key.case))
        if key.peer and ours:
            rows.append(
                [f"`{key.family}`", sizes_text(key), duration(ours), key.peer, duration(measurement.ms), times(measurement.ms / ours)]
            )
    return table(["family", "size", "time", "peer", "its time", "ratio"], rows)


def worst_ratios(measurements):
    """(key of the hard input, its time as a multiple of the usual input of its size)."""
    ratios = []
    for key, measurement in measurements.items():
        usual = ms_of(measurements, Key(key.family, key.sizes))
        if key.case and not key.peer and usual:
            ratios.append((key, measurement.ms / usual))
    return ratios


def worst_table(measurements):
    """One row per family and size: every hard input, the worst first."""
    groups = {}
    for key, ratio in worst_ratios(measurements):
        groups.setdefault((key.family, key.sizes), []).append((ratio, key.case))
    rows = []
    for (family, sizes), cases in groups.items():
        usual = Key(family, sizes)
        cases.sort(reverse=True)
        marked = [f"**{case} {times(ratio)}**" if ratio > WORST_ALLOWED else f"{case} {times(ratio)}" for ratio, case in cases]
        rows.append([f"`{family}`", sizes_text(usual), duration(ms_of(measurements, usual)), ", ".join(marked)])
    return table(["family", "size", "random", "hard inputs, as multiples of it"], rows)


def is_on_line(sizes):
    """Whether a size belongs to the sequence along which a family grows."""
    by_name = dict(sizes)
    if "gpus" in by_name:
        return by_name["gpus"] == 10 * by_name["jobs"]
    if "columns" in by_name:
        return by_name["rows"] == by_name["columns"]
    if "nodes" in by_name and "jobs" in by_name:
        return by_name["nodes"] == by_name["jobs"]
    return True


def growth_series(measurements):
    """Families with at least two sizes from SMALLEST_FITTED on: name -> ascending (size, ms)."""
    series = {}
    for key, measurement in measurements.items():
        if key.case or measurement.error or not key.sizes or key.first_size < SMALLEST_FITTED or not is_on_line(key.sizes):
            continue
        series.setdefault(str(Key(key.family, peer=key.peer)), []).append((key.first_size, measurement.ms))
    return {name: sorted(points) for name, points in series.items() if len(points) >= 2 and min(ms for _, ms in points) > 0}


def spark(values):
    """Bars whose heights are logarithms."""
    low, high = math.log(min(values)), math.log(max(values))
    scale = (len(BARS) - 1) / (high - low) if high > low else 0
    return "".join(BARS[round((math.log(value) - low) * scale)] for value in values)


def growth_table(measurements):
    rows = []
    for name, points in growth_series(measurements).items():
        sizes, values = zip(*points)
        shown = ", ".join(f"{size:,}: {duration(ms)}" for size, ms in points)
        rows.append([f"`{name}`", shown, f"{fitted_exponent(sizes, values):.2f}", spark(values)])
    return table(["family", "time by size", "exponent", ""], rows)


def small_table(measurements):
    """Ten jobs, four nodes of 8 GPUs."""
    rows = []
    allocation, decision = (("jobs", 10), ("gpus", 32)), (("jobs", 10), ("nodes", 4))
    for key in measurements:
        if key == Key(key.family, allocation):
            ours, published = ms_of(measurements, key), ms_of(measurements, Key(key.family, allocation, peer="published"))
            rows.append(
                [
                    f"`{key.family}`",
                    duration(ours),
                    duration(published),
                    times(published / ours) if ours and published else "-",
                    duration(ms_of(measurements, Key(f"counting_{key.family}", decision))),
                    duration(ms_of(measurements, Key(f"decision_{key.family}", decision))),
                ]
            )
    return table(["policy", "policy alone", "published", "ratio", "decision without places", "decision with `steady`"], rows)


def placements_table(measurements):
    rows = []
    for key, measurement in measurements.items():
        counters = measurement.counters
        if "survivors" not in counters or measurement.error:
            continue
        moved = f"{100 * counters['moved'] / counters['survivors']:.2f} %" if counters["survivors"] else "-"
        rows.append(
            [
                f"`{Key(key.family, case=key.case)}`",
                f"{key.first_size:,}",
                f"{counters['jobs']:,.0f}",
                duration(measurement.ms),
                moved,
                f"{100 * counters['excess'] / counters['jobs']:.2f} %",
                f"{counters['unplaced']:,.0f}",
            ]
        )
    return table(["placer", "nodes", "jobs", "time", "survivors moved", "excess nodes per job", "jobs unplaced"], rows)


def decisions_table(measurements):
    rows = []
    for key, measurement in measurements.items():
        if key.family.startswith(("decision_", "counting_")) and not measurement.error:
            counters = measurement.counters
            rows.append(
                [
                    f"`{key.family}`",
                    sizes_text(key),
                    duration(measurement.ms),
                    f"{counters.get('actions', 0):.1f}",
                    f"{counters.get('heap_allocations', 0):,.0f}",
                ]
            )
    return table(["family", "size", "one decision", "actions", "heap allocations"], rows)


def simulations_table(measurements):
    rows = []
    for key, measurement in measurements.items():
        counters = measurement.counters
        if "us_per_decision" not in counters or measurement.error:
            continue
        rows.append(
            [
                f"`{Key(key.family, peer=key.peer)}`",
                f"{key.first_size:,}",
                f"{counters.get('active_median', 0):,.0f} / {counters.get('active_p99', 0):,.0f}",
                f"{counters.get('decisions', 0):,.0f}",
                duration(measurement.ms),
                f"{counters.get('us_per_decision', 0):.3g}",
                f"{counters['peak_MB']:,.0f} MB" if "peak_MB" in counters else "",
            ]
        )
    header = ["family", "jobs", "active, median / 99 %", "decisions", "CPU time", "us per decision", "peak memory"]
    return table(header, rows)


TABLES = {
    "targets": targets_table,
    "peers": peers_table,
    "small": small_table,
    "placements": placements_table,
    "decisions": decisions_table,
    "simulations": simulations_table,
    "worst": worst_table,
    "growth": growth_table,
}


def faults(measurements):
    """Wrong answers, each as a line of text."""
    return [f"{key}: {measurement.error}" for key, measurement in measurements.items() if measurement.error]


def filled_in(text, parts):
    """The text with each part between its markers `<!-- NAME -->` and `<!-- end of NAME -->`; markers must be there."""
    for name, part in parts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, count = pattern.subn(lambda match, part=part: match[1] + part + match[2], text)
        if count != 1:
            raise ValueError(f"README: expected the markers of '{name}' once, found them {count} times")
    return text
