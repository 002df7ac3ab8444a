"""Draw the pictures of the example `shape-judgements`: `python experiments/examples/draw_shapes.py`.

Each item is a polygon; a condition sets its irregularity (each corner moves by up to 0, 8 or 20 per cent of the radius,
at random) and whether it is filled. The output is reproducible, pixel by pixel.
"""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).with_name("shape-judgements")
SIDE = 320
# Drawn four times as large and scaled down, for smooth edges.
FINE = 4
IRREGULARITY = {"none": 0.0, "slight": 0.08, "strong": 0.2}
FILL = ("filled", "outline")
NAMES = {5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon", 9: "nonagon", 10: "decagon"}
INK = (38, 70, 110)


def corners(number: int, share: float, chance: random.Random) -> list[tuple[float, float]]:
    """Return the corners of a polygon, each moved along its ray by up to a fraction of the radius."""
    turned = chance.uniform(0, 2 * math.pi / number)
    middle, radius = SIDE * FINE / 2, SIDE * FINE * 0.38
    found = []
    for corner in range(number):
        length = radius * (1 + share * chance.uniform(-1, 1))
        angle = turned + 2 * math.pi * corner / number
        found.append((middle + length * math.cos(angle), middle + length * math.sin(angle)))
    return found


def draw(points: list[tuple[float, float]], *, filled: bool) -> Image.Image:
    """Return the polygon on white."""
    picture = Image.new("RGB", (SIDE * FINE, SIDE * FINE), "white")
    pen = ImageDraw.Draw(picture)
    if filled:
        pen.polygon(points, fill=INK)
    else:
        pen.line([*points, points[0], points[1]], fill=INK, width=5 * FINE, joint="curve")
    return picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS).quantize(16)


def main() -> None:
    """Draw everything, and write the materials."""
    (FOLDER / "media").mkdir(parents=True, exist_ok=True)
    rows = []
    for number, name in NAMES.items():
        for regularity, share in IRREGULARITY.items():
            chance = random.Random(f"{name} {regularity}")  # noqa: S311
            points = corners(number, share, chance)
            for fill in FILL:
                file = f"{name}-{regularity}-{fill}.png"
                draw(points, filled=fill == "filled").save(FOLDER / "media" / file, optimize=True)
                shows = f"A filled {name}." if fill == "filled" else f"The outline of a {name}."
                rows.append([name, "", regularity, fill, "false", "false", file, shows])
    for kind, number, share in (("filler", 4, 0.12), ("practice", 3, 0.15)):
        for copy in (1, 2):
            file = f"{kind}-{copy}.png"
            points = corners(number, share * copy, random.Random(file))  # noqa: S311
            draw(points, filled=copy == 1).save(FOLDER / "media" / file, optimize=True)
            is_filler = "true" if kind == "filler" else "false"
            is_practice = "true" if kind == "practice" else "false"
            rows.append([f"{kind}-{copy}", "", "", "", is_filler, is_practice, file, "A shape."])
    reference = corners(6, 0.1, random.Random("modulus"))  # noqa: S311
    draw(reference, filled=True).save(FOLDER / "media" / "modulus.png", optimize=True)
    with (FOLDER / "materials.csv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["item", "text", "irregularity", "fill", "is_filler", "is_practice", "image", "alt"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
