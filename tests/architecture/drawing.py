"""Draws docs/architecture.svg from the layers that import-linter keeps: `python -m tests.architecture.drawing`."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRAWING = ROOT / "docs" / "architecture.svg"
APPS = {
    "config": "settings, addresses, servers",
    "analysis": "afterwards",
    "participants": "while they take part",
    "experiments": "before anyone takes part",
}
# Of no contract: nothing of it is imported by the apps but what they are told by settings.
ROOMS_OF_CONFIG = ["settings : urls", "accounts", "documentation : packaging", "celery : gunicorn : server", "sqlite"]
WIDTH, COLUMN, GAP, LINE = 1000, 225, 20, 17
LETTER = 7.4
DARK, GREY = "#1d1d1b", "#5a5a57"


def layers_of(container: str) -> list[str]:
    """Return the layers of a package, the upper ones first; rooms beside each other are parted by colons."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    return next(contract["layers"] for contract in contracts if contract.get("containers") == [container])


def paradigms() -> list[str]:
    """Return the folders of the paradigms."""
    return sorted(path.parent.name for path in (ROOT / "experiments" / "paradigms").glob("*/paradigm.py"))


def wrapped(layer: str, width: float) -> list[str]:
    """Return the rooms of a layer in lines that fit a width."""
    lines = [""]
    for room in layer.split(" : "):
        longer = f"{lines[-1]} · {room}" if lines[-1] else room
        if lines[-1] and len(longer) * LETTER > width - 20:
            lines[-1] += " ·"
            lines.append(room)
        else:
            lines[-1] = longer
    return lines


def text(x: float, y: float, said: str, *, size: int = 14, fill: str = DARK, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight} fill="{fill}">{said}</text>'


def stack(x: float, y: float, width: float, layers: list[str]) -> tuple[list[str], float]:
    """Draw layers below each other; return the pieces and where the last one ends."""
    pieces = []
    for layer in layers:
        lines = wrapped(layer, width)
        height = 9 + LINE * len(lines)
        pieces.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="4" fill="#ffffff" stroke="#b9b9b4"/>'
        )
        pieces += [text(x + 10, y + LINE * (number + 1), line) for number, line in enumerate(lines)]
        y += height + 6
    return pieces, y - 6


def panel(x: float, y: float, width: float, title: str, what: str, layers: list[str]) -> tuple[list[str], float]:
    """Draw a named stack in a frame; return the pieces and where it ends."""
    pieces, end = stack(x + 12, y + 58, width - 24, layers)
    end += 12
    frame = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{end - y:g}" rx="8" fill="#f6f6f4" stroke="#8a8a86"/>'
    head = [text(x + 14, y + 26, title, size=17, bold=True), text(x + 14, y + 44, what, size=12, fill=GREY)]
    return [frame, *head, *pieces], end


def row(y: float, panels: list[tuple[float, float, str, str, list[str]]]) -> tuple[list[str], float]:
    """Draw panels beside each other; return the pieces and where the highest ends."""
    drawn = [panel(x, y, width, title, what, layers) for x, width, title, what, layers in panels]
    return [piece for pieces, _ in drawn for piece in pieces], max(end for _, end in drawn)


def drawing() -> str:
    """Return the drawing as SVG."""
    places = [GAP + number * (COLUMN + GAP) for number in range(len(APPS))]
    apps = [
        (float(x), float(COLUMN), app, what, ROOMS_OF_CONFIG if app == "config" else layers_of(app))
        for x, (app, what) in zip(places, APPS.items(), strict=True)
    ]
    upper, end = row(20, apps)
    arrows = [
        f'<path d="M{x + COLUMN + 3:g} 40 h12 m-5 -4 l5 4 l-5 4" fill="none" stroke="{DARK}"/>' for x in places[:-1]
    ]
    wide = 2 * COLUMN + GAP
    within = [
        (float(places[0]), float(wide), "analysis/methods", "every analysis, pure", layers_of("analysis.methods")),
        (
            float(places[2]), float(wide), "experiments/paradigms", "what a participant does: one folder each",
            [" : ".join(paradigms()), "pieces", "base"],
        ),
    ]  # fmt: skip
    lower, end = row(end + GAP, within)
    caption = "Imports point to the right, and within a stack downwards. Rooms beside each other (·) share a layer."
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end + 44:g}" role="img" aria-labelledby="t d" '
        'font-family="sans-serif" font-size="14">',
        '<title id="t">The rooms of Lectern</title><desc id="d">Four columns, config, analysis, participants, '
        "experiments, each a stack of rooms; below them the methods and the paradigms. Imports point to the right and "
        "downwards.</desc>",
        f'<rect width="{WIDTH}" height="{end + 44:g}" fill="#ffffff"/>',
        *upper, *arrows, *lower,
        text(GAP, end + 28, caption, fill=GREY),
        "</svg>\n",
    ])  # fmt: skip


if __name__ == "__main__":
    DRAWING.write_text(drawing(), encoding="utf-8")
