"""Run the checks of external frameworks, each in an environment of its own: `make test-frameworks`.

python tests/frameworks/run.py [framework ...] [--folder FOLDER] [--keep-results]

For each `NAME.txt`, the versions that are pinned, a virtual environment is made in FOLDER, unless
it is there already, and `check_NAME.py` and `check_NAME_*.py`, or `test_NAME.py`, are run in it.
What came of it is written to `results/frameworks.json`, from which `make docs` makes the table in
`docs/frameworks.md`.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = ROOT / "results" / "frameworks.json"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "backroom-frameworks"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
NAMES = sorted(path.stem for path in HERE.glob("*.txt"))
MINUTES = 30
"""For the checks of one framework."""


def lines(name: str) -> list[str]:
    """What is pinned for a framework, in its file's order, without comments."""
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    return [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]


def install(name: str, folder: Path) -> Path:
    """The Python of an environment that holds what is pinned and this checkout.

    It is made anew if what is pinned has changed, or was made for another checkout.
    Lines after `--no-deps` are installed last and alone, whatever else they ask for.

    Raises:
        RuntimeError: with the last lines of pip, if something cannot be installed.
    """
    home, wanted = folder / name, lines(name)
    mark, python = home / ".pinned", home / "bin" / "python"
    pinned = hashlib.sha256("\n".join([sys.version, str(ROOT), *wanted]).encode()).hexdigest()
    if mark.exists() and mark.read_text() == pinned:
        return python
    shutil.rmtree(home, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(home)])
    split = wanted.index("--no-deps") if "--no-deps" in wanted else len(wanted)
    first, alone = wanted[:split], wanted[split + 1 :]
    for line in [line for line in first if line.startswith("torch==")]:
        run([str(python), *PIP, line])  # alone: a range elsewhere may fetch builds of gigabytes
    run([str(python), *PIP, "pytest", *first, "-e", str(ROOT)])
    if alone:
        run([str(python), *PIP, "--no-deps", "--no-build-isolation", *alone])
    mark.write_text(pinned)
    return python


def run(command: list[str]) -> None:
    """Run `command`.

    Raises:
        RuntimeError: with its last lines, if it fails.
    """
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        told = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in told if "error" in line.lower()] or told
        raise RuntimeError(" / ".join(errors[-2:]))


def check(name: str, python: Path) -> dict[str, object]:
    """Run a framework's checks; what came of them."""
    files = sorted(HERE.glob(f"check_{name}.py")) + sorted(HERE.glob(f"check_{name}_*.py"))
    files = files or sorted(HERE.glob(f"test_{name}.py"))
    if not files:
        return {"error": "it can be installed, but no checks are written for it"}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [str(python), "-m", "pytest", "-q", *map(str, files), f"--confcutdir={HERE}"]
        command += ["-p", "no:cacheprovider", "-W", "ignore", f"--junitxml={report}"]
        done = subprocess.run(command, cwd=ROOT, timeout=60 * MINUTES)
        if not report.exists():
            return {"error": f"the checks did not run: pytest returned {done.returncode}"}
        return summary(report)


def summary(report: Path) -> dict[str, object]:
    """What pytest's report says: checks passed, and the properties that they recorded."""
    found: dict[str, object] = {"checks": 0, "failed": []}
    for case in ElementTree.parse(report).iter("testcase"):
        found["checks"] += 1  # type: ignore[operator]
        if case.find("failure") is not None or case.find("error") is not None:
            found["failed"].append(case.get("name"))  # type: ignore[attr-defined]
        for told in case.iter("property"):
            key, value = str(told.get("name")), str(told.get("value"))
            if key == "reached":
                found[key] = value
            else:  # counts
                found[key] = int(value) + int(found.get(key, 0))  # type: ignore[call-overload]
    return found


def versions(python: Path, name: str) -> dict[str, str]:
    """The installed versions of all that is pinned."""
    packages = [line.partition("==")[0].partition("[")[0] for line in lines(name) if "==" in line]
    code = "import sys; from importlib.metadata import version as v; print(*map(v, sys.argv[1:]))"
    told = subprocess.run([str(python), "-c", code, *packages], capture_output=True, text=True)
    return dict(zip(packages, told.stdout.split(), strict=False))


def one(name: str, folder: Path | None) -> dict[str, object]:
    """Install and check a framework; in this very environment if `folder` is None."""
    entry: dict[str, object] = {"python": sys.version.split()[0]}
    try:
        python = Path(sys.executable) if folder is None else install(name, folder)
    except RuntimeError as error:
        wanted = dict(line.split("==") for line in lines(name) if "==" in line)
        return {**entry, "versions": wanted, "error": str(error)}
    return {**entry, "versions": versions(python, name), **check(name, python)}


def main() -> int:
    """Run what is asked for; the number of frameworks whose checks failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frameworks", nargs="*", metavar="framework", help=", ".join(NAMES))
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"default: {FOLDER}")
    parser.add_argument("--here", action="store_true", help="in this environment, make none")
    parser.add_argument(
        "--keep-results", action="store_true", help="leave results/frameworks.json as it is"
    )
    asked = parser.parse_args()
    if strange := set(asked.frameworks) - set(NAMES):
        parser.error(f"there is no framework {min(strange)!r}; there are {', '.join(NAMES)}")
    failed = 0
    for name in asked.frameworks or NAMES:
        print(f"== {name}", flush=True)
        entry = one(name, None if asked.here else asked.folder)
        failed += bool(entry.get("failed")) or "error" in entry
        if asked.keep_results:
            print(json.dumps(entry, indent=2), flush=True)
            continue
        results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        results[name] = entry
        text = json.dumps(results, indent=2, sort_keys=True) + "\n"
        new = RESULTS.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(RESULTS)
    return failed


if __name__ == "__main__":
    sys.exit(main())
