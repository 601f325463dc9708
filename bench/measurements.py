"""What a benchmark run measured: reads Google Benchmark's JSON and the names FAMILY[~CASE][@PEER]/SIZES."""

import json
import math
import re
import statistics
from dataclasses import dataclass, field

NAME = re.compile(r"(?P<family>[^~@/]+)(?:~(?P<case>[^@/]+))?(?:@(?P<peer>[^/]+))?(?:/(?P<sizes>.*))?$")
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
NOT_SIZES = ("iterations", "repeats", "min_time", "min_warmup_time", "threads")


@dataclass(frozen=True)
class Key:
    """What was measured: an input of a family, on our code (peer empty) or on a peer."""

    family: str
    sizes: tuple = ()  # (name, number) pairs
    case: str = ""  # an input that is meant to hurt
    peer: str = ""

    @classmethod
    def parse(cls, name):
        match = NAME.match(name)
        if not match:
            raise ValueError(f"benchmark '{name}': expected FAMILY[~CASE][@PEER]/SIZES")
        sizes = []
        for part in (match["sizes"] or "").split("/"):
            label, _, number = part.rpartition(":")
            if part and label not in NOT_SIZES and number.lstrip("-").isdigit():
                sizes.append((label, int(number)))
        return cls(match["family"], tuple(sizes), match["case"] or "", match["peer"] or "")

    def __str__(self):
        case = f"~{self.case}" if self.case else ""
        peer = f"@{self.peer}" if self.peer else ""
        return self.family + case + peer + "".join(f"/{label}:{number}" if label else f"/{number}" for label, number in self.sizes)

    @property
    def first_size(self):
        return self.sizes[0][1] if self.sizes else 0


@dataclass
class Measurement:
    ms: float  # CPU time of one run
    counters: dict = field(default_factory=dict)
    error: str = ""


def read(documents):
    """Measurements by Key from the text of JSON documents; of repeated runs the medians."""
    runs = {}
    for document in documents:
        for entry in json.loads(document)["benchmarks"]:
            if entry.get("run_type", "iteration") != "iteration":
                continue  # the aggregates of Google Benchmark; medians are taken here
            runs.setdefault(Key.parse(entry["name"]), []).append(entry)
    return {key: of_repeated(entries) for key, entries in runs.items()}


def ordered(measurements):
    """By family in the order of the run, ours before the peers, then by size."""
    place = {}
    for key in measurements:
        place.setdefault(key.family, len(place))
    return dict(sorted(measurements.items(), key=lambda item: (place[item[0].family], item[0].peer, item[0].case, [number for _, number in item[0].sizes])))


def of_repeated(entries):
    errors = [entry.get("error_message", "failed") for entry in entries if entry.get("error_occurred")]
    if errors:
        return Measurement(ms=math.nan, error=errors[0])
    known = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations", "real_time", "cpu_time"}
    first = entries[0]
    counters = {name: value for name, value in first.items() if name not in known and isinstance(value, (int, float))}
    ms = statistics.median(entry["cpu_time"] * MILLISECONDS[entry["time_unit"]] for entry in entries)
    return Measurement(ms=ms, counters=counters)


def with_difference(measurements, family, whole, part):
    """Adds a family: what `whole` takes beyond `part` on the same sizes."""
    result = dict(measurements)
    for key, measurement in measurements.items():
        other = measurements.get(Key(part, key.sizes))
        if key == Key(whole, key.sizes) and other:
            result[Key(family, key.sizes)] = Measurement(ms=measurement.ms - other.ms, error=measurement.error or other.error)
    return result


def with_sums(measurements, family, prefix, members):
    """Adds a family: the sum over those families `prefix`NAME that were all measured at the same sizes."""
    sums = {}
    for key, measurement in measurements.items():
        if key == Key(key.family, key.sizes) and key.family.startswith(prefix) and key.family[len(prefix) :] in members:
            sums.setdefault(key.sizes, []).append(measurement)
    result = dict(measurements)
    for sizes, parts in sums.items():
        if len(parts) == len(members):
            error = next((part.error for part in parts if part.error), "")
            result[Key(family, sizes)] = Measurement(ms=sum(part.ms for part in parts), error=error)
    return result


def fitted_exponent(sizes, times):
    """Slope of the least-squares line through the logarithms: times grow as sizes to this power."""
    x = [math.log(size) for size in sizes]
    y = [math.log(time) for time in times]
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    if spread == 0:
        return math.nan
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread
