"""All tables in the READMEs that are facts of the code: `make docs`.

python -m backroom.train.docs
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backroom.evaluate import docs
from backroom.evaluate.docs import markdown

from .settings import PPOSettings, RLlibSettings, SB3Settings, Settings, describe, value_text

README = Path(__file__).with_name("README.md")
ROOT = README.resolve().parents[1]
FRAMEWORKS = ROOT / "docs" / "frameworks.md"
RESULTS = ROOT / "results" / "frameworks.json"
"""What `make test-frameworks` has found."""


def settings_table(kind: type[Settings], beyond: type[Settings] | None = None) -> str:
    """Settings, their defaults and meanings; only those that `beyond` has not."""
    known = beyond.__struct_fields__ if beyond else ()
    rows = (
        (f"`{s.name}`", f"`{value_text(s.default)}`" if s.name != "game" else "", s.description)
        for s in describe(kind)
        if s.name not in known
    )
    return markdown(("setting", "default", "meaning"), rows)


def frameworks_table() -> str:
    """What came of the checks of external frameworks, a row each."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    head = ("framework", "versions", "checks passed", "games compared", "illegal moves", "reached")
    pinned = sorted(path.stem for path in (ROOT / "tests" / "frameworks").glob("*.txt"))
    return markdown(head, (framework_row(name, results.get(name)) for name in pinned))


def framework_row(name: str, found: dict[str, Any] | None) -> tuple[Any, ...]:
    """A row of `frameworks_table`: what does not work is told by its error."""
    if found is None:
        return name, "", "not run yet", "", "", ""
    versions = ", ".join(f"{package} {version}" for package, version in found["versions"].items())
    if "error" in found:
        return name, versions, "none", "", "", f"does not work: {found['error']}"
    passed = found["checks"] - len(found["failed"])
    failed = f"; failed: {', '.join(found['failed'])}" if found["failed"] else ""
    counts = found.get("episodes", 0), found.get("illegal", 0)
    return name, versions, f"{passed} of {found['checks']}{failed}", *counts, found.get("reached")


TABLES: dict[str, Callable[[], str]] = {
    "settings": lambda: settings_table(Settings),
    "ppo": lambda: settings_table(PPOSettings, Settings),
    "rllib": lambda: settings_table(RLlibSettings, PPOSettings),
    "sb3": lambda: settings_table(SB3Settings, Settings),
}
FRAMEWORK_TABLES: dict[str, Callable[[], str]] = {"frameworks": frameworks_table}


def main() -> None:
    """Write all tables."""
    docs.main()
    docs.write(README, TABLES)
    docs.write(FRAMEWORKS, FRAMEWORK_TABLES)


if __name__ == "__main__":
    main()
