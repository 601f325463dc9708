"""Checks who includes whom (docs/architecture.md). Prints file:line for each violation and exits with 1 if there is one."""

import re
import sys
from pathlib import Path

# Folder of include/voda -> folders whose public headers it may include, besides its own and voda/config.hpp.
MAY_INCLUDE = {
    "model": set(),
    "solvers": set(),
    "tenancy": {"model", "solvers"},
    "policy": {"model"},
    "allocators": {"policy", "model", "solvers", "tenancy"},
    "placers": {"policy", "model", "solvers", "tenancy"},
    "estimation": {"model", "solvers"},
    "scheduler": {"policy", "model", "tenancy"},
    "simulator": {"scheduler", "policy", "model"},
    "io": {"model", "policy", "scheduler", "simulator"},
}
# First part of a third-party path -> the folders whose public headers may include it, and whether every impl/ may.
THIRD_PARTY = {
    "fmt": (set(), True),
    "Eigen": ({"solvers"}, True),
    "cereal": ({"io"}, False),
    "nlohmann": ({"io"}, False),
}
OUTSIDE = ("adapters", "bench", "bindings", "examples", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<([^>]*)>)')
STANDARD = re.compile(r"^[a-z_0-9]+$")


def includes_of(path):
    """Yields (line number, quoted path or None, angle path or None)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def complaint_about_quoted(folder, in_impl, quoted):
    """Why a header of `folder` may not include "quoted", or None."""
    parts = quoted.split("/")
    if quoted == "voda/config.hpp":
        return None
    if parts[0] != "voda" or len(parts) < 3:
        return f'"{quoted}": expected a full path "voda/<folder>/<name>.hpp"'
    target, target_is_impl = parts[1], "impl" in parts
    if target == folder:
        if target_is_impl and not in_impl and not quoted.endswith("_inl.hpp"):
            return f'"{quoted}": a public header includes nothing of impl/ but its own body'
        return None
    if target not in MAY_INCLUDE:
        return f'"{quoted}": the table knows no folder {target}'
    if target not in MAY_INCLUDE[folder]:
        allowed = ", ".join(sorted(MAY_INCLUDE[folder])) or "no other folder"
        return f'"{quoted}": {folder} may include {allowed}'
    if target_is_impl:
        return f'"{quoted}": impl/ belongs to {target} alone'
    return None


def complaint_about_angle(folder, in_impl, angle):
    """Why a header of `folder` may not include <angle>, or None."""
    if STANDARD.match(angle):
        return None
    library = angle.split("/")[0]
    if library not in THIRD_PARTY:
        return f"<{angle}>: neither the standard library nor one of {', '.join(sorted(THIRD_PARTY))}"
    public_folders, every_impl = THIRD_PARTY[library]
    if folder in public_folders or (in_impl and every_impl):
        return None
    return f"<{angle}>: only in " + " and ".join(sorted(public_folders) + (["impl/"] if every_impl else []))


def check_library_header(root, path):
    """Yields (line, complaint) for a header in a folder of include/voda."""
    relative = path.relative_to(root / "include/voda")
    folder, in_impl = relative.parts[0], "impl" in relative.parts
    if folder not in MAY_INCLUDE:
        yield 1, f"the table knows no folder {folder}"
        return
    for line, quoted, angle in includes_of(path):
        found = complaint_about_quoted(folder, in_impl, quoted) if quoted else complaint_about_angle(folder, in_impl, angle)
        if found:
            yield line, found


def check_config(path):
    for line, quoted, angle in includes_of(path):
        if quoted or not STANDARD.match(angle):
            yield line, f"{quoted or angle}: config.hpp includes the standard library only"


def check_umbrella(root, path):
    """voda.hpp includes every public header outside io, each once, sorted."""
    include = root / "include"
    expected = sorted(
        str(header.relative_to(include))
        for header in include.glob("voda/**/*.hpp")
        if "impl" not in header.parts and header != path and header.relative_to(include).parts[1] != "io"
    )
    listed = []
    for line, quoted, angle in includes_of(path):
        if quoted not in expected:
            yield line, f"{quoted or angle}: not a public header outside io"
        elif quoted in listed:
            yield line, f'"{quoted}": repeated'
        elif listed and quoted < listed[-1]:
            yield line, f'"{quoted}": not sorted, comes after "{listed[-1]}"'
        listed.append(quoted)
    for missing in expected:
        if missing not in listed:
            yield 1, f'"{missing}" is missing'


def check_source(root, path):
    """src/<folder>.cpp is the list of the folder's bodies."""
    folder = path.stem
    bodies = {str(body.relative_to(root / "include")) for body in (root / "include/voda" / folder).glob("**/impl/*_inl.hpp")}
    listed = set()
    for line, quoted, angle in includes_of(path):
        listed.add(quoted)
        if quoted not in bodies:
            yield line, f"{quoted or angle}: not a body of include/voda/{folder}"
    for missing in sorted(bodies - listed):
        yield 1, f'"{missing}" is missing'


def check_outside(path):
    """Adapters, tests and the like use public headers only."""
    for line, quoted, _ in includes_of(path):
        if quoted and quoted.startswith("voda/") and "/impl/" in quoted:
            yield line, f'"{quoted}": only public headers outside include/'


def check_tree(root):
    """All violations below `root` as text, one `file:line: complaint` each."""
    found = []

    def add(path, complaints):
        found.extend(f"{path.relative_to(root)}:{line}: {text}" for line, text in complaints)

    for path in sorted((root / "include").rglob("*.hpp")):
        if path == root / "include/voda/config.hpp":
            add(path, check_config(path))
        elif path == root / "include/voda/voda.hpp":
            add(path, check_umbrella(root, path))
        else:
            add(path, check_library_header(root, path))
    for folder in MAY_INCLUDE:
        if any((root / "include/voda" / folder).glob("impl/*_inl.hpp")) and not (root / "src" / f"{folder}.cpp").exists():
            found.append(f"src/{folder}.cpp:1: missing, though include/voda/{folder}/impl has bodies")
    for path in sorted((root / "src").glob("*.cpp")):
        add(path, check_source(root, path))
    for folder in OUTSIDE:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            add(path, check_outside(path))
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[3])
    if not (root / "include/voda/config.hpp").exists():
        print(f"{root}: no include/voda/config.hpp below it")
        return 2
    violations = check_tree(root)
    print("\n".join(violations) if violations else "include rules: kept")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
