"""Draw the pictures of the example `picture-sentences`: `python experiments/examples/draw_scenes.py`.

Two of four shapes, one above the other. An item is a sentence about two of them; a condition says whether it holds of
its picture, and whether it is negated (after Clark and Chase 1972).
"""

from __future__ import annotations

import csv
import math
from itertools import permutations
from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).with_name("picture-sentences")
WIDTH, HEIGHT = 240, 360
# Drawn four times as large and scaled down, for smooth edges.
FINE = 4
RADIUS = 62
INK = (38, 70, 110)
CORNERS = {"circle": 0, "square": 4, "triangle": 3, "star": 10}
OTHER = {"above": "below", "below": "above"}


def points(shape: str, middle: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the corners of a shape, the first one at the top; those of a star are near and far in turn."""
    number, radius = CORNERS[shape], RADIUS * FINE
    turned = math.pi / 4 if shape == "square" else 0.0
    found = []
    for corner in range(number):
        length = radius * (0.45 if shape == "star" and corner % 2 else 1.0)
        angle = turned + 2 * math.pi * corner / number - math.pi / 2
        found.append((middle[0] + length * math.cos(angle), middle[1] + length * math.sin(angle)))
    return found


def draw(upper: str, lower: str) -> Image.Image:
    """Return one shape above another on white."""
    picture = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), "white")
    pen = ImageDraw.Draw(picture)
    for shape, share in ((upper, 0.26), (lower, 0.74)):
        middle = (WIDTH * FINE / 2, HEIGHT * FINE * share)
        if shape == "circle":
            reach = RADIUS * FINE * 0.9
            pen.ellipse((middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach), fill=INK)
        else:
            pen.polygon(points(shape, middle), fill=INK)
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).quantize(16)


def main() -> None:
    """Draw everything, and write the materials."""
    (FOLDER / "media").mkdir(parents=True, exist_ok=True)
    for upper, lower in permutations(CORNERS, 2):
        draw(upper, lower).save(FOLDER / "media" / f"{upper}-above-{lower}.png", optimize=True)
    rows = []
    for first, second in permutations(CORNERS, 2):
        for relation in OTHER:
            for polarity in ("affirmative", "negative"):
                for sentence in ("matching", "mismatching"):
                    is_above = (relation == "above") == ((polarity == "affirmative") == (sentence == "matching"))
                    upper, lower = (first, second) if is_above else (second, first)
                    text = f"The {first} is {'not ' if polarity == 'negative' else ''}{relation} the {second}."
                    answer = "true" if sentence == "matching" else "false"
                    picture, shows = f"{upper}-above-{lower}.png", f"A {upper} above a {lower}."
                    item = f"{first}-{relation}-{second}"
                    rows.append([item, text, sentence, polarity, answer, "false", picture, shows])
    for number, (text, answer) in enumerate(
        (
            ("The star is above the circle.", "true"),
            ("The star is below the circle.", "false"),
            ("The circle is not above the star.", "true"),
            ("The circle is not below the star.", "false"),
        ),
        start=1,
    ):
        rows.append([f"p-{number}", text, "", "", answer, "true", "star-above-circle.png", "A star above a circle."])
    with (FOLDER / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item", "text", "sentence", "polarity", "correct", "is_practice", "image", "alt"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
