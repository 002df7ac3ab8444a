"""Draw the pictures of the example `picture-priming`: `python experiments/examples/draw_primes.py`.

Six shapes. Each is the prime of its own name and of another name; the two answers of a row are the names of both.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).with_name("picture-priming")
SIDE, FINE = 180, 4
INK = (38, 70, 110)
CORNERS = {"circle": 60, "square": 4, "triangle": 3, "star": 10, "hexagon": 6, "cross": 12}
PRACTICE = ("hexagon", "cross")
# How long the prime is on the screen before the name, in milliseconds.
SOA = {"short": 100, "long": 400}


def draw(shape: str) -> Image.Image:
    """Return one shape on white."""
    number, middle, radius = CORNERS[shape], SIDE * FINE / 2, SIDE * FINE * 0.42
    corners = []
    for corner in range(number):
        length, angle = radius, 2 * math.pi * corner / number - math.pi / 2
        if shape == "square":
            angle += math.pi / 4
        if shape == "star" and corner % 2:
            length *= 0.45
        if shape == "cross":
            # Three corners an arm: two far ones, and one near the middle.
            arm, part = divmod(corner, 3)
            angle = math.pi / 2 * arm - math.pi / 2 + (0.32, -0.32, -math.pi / 4)[part] * -1
            length *= 1.0 if part < 2 else 0.44
        corners.append((middle + length * math.cos(angle), middle + length * math.sin(angle)))
    picture = Image.new("RGB", (SIDE * FINE, SIDE * FINE), "white")
    ImageDraw.Draw(picture).polygon(corners, fill=INK)
    return picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS).quantize(16)


def main() -> None:
    """Draw everything, and write the materials."""
    (FOLDER / "media").mkdir(parents=True, exist_ok=True)
    for shape in CORNERS:
        draw(shape).save(FOLDER / "media" / f"{shape}.png", optimize=True)
    names = [name for name in CORNERS if name not in PRACTICE]
    rows = []
    for first, second in (PRACTICE, PRACTICE[::-1]):
        rows.append([f"p-{first}", first, "", "", f"{second}.png", SOA["short"], f"{first} | {second}", first, "true"])
    for number, name in enumerate(names):
        other = names[(number + 1) % len(names)]
        # Each of the two words is as often the right one as the other.
        pair = (name, other) if number % 2 else (other, name)
        for prime_type, prime in (("same", name), ("other", other)):
            for soa, ms in SOA.items():
                rows.append([name, name, prime_type, soa, f"{prime}.png", ms, " | ".join(pair), name, "false"])
    with (FOLDER / "materials.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        header = ["item", "text", "prime_type", "soa", "prime", "prime_ms", "answer_labels", "correct", "is_practice"]
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
