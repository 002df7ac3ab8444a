"""Make the videos of the example `moving-shapes`: `python experiments/examples/make_videos.py`; needs `ffmpeg`.

A disc moves over the picture and stops at a square, which begins to move at once, or after a pause: the earlier of two
movements seems to cause the later one unless there is time between them (after Michotte 1946).
"""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).with_name("moving-shapes")
WIDTH, HEIGHT, RATE = 320, 120, 25
SIDE = 34
# Frames until they touch, and that the square moves for.
REACHING, LEAVING = 14, 14
PAUSES = {"none": 0, "short": 4, "long": 12}
COLOURS = {"blue": (38, 70, 110), "brown": (120, 72, 30), "green": (30, 100, 60), "purple": (90, 50, 120)}


def frames(colour: tuple[int, int, int], pause: int) -> list[bytes]:
    """Return the frames of one video as RGB bytes."""
    touch = WIDTH // 2
    found = []
    for number in range(REACHING + pause + LEAVING + 1):
        picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
        pen = ImageDraw.Draw(picture)
        disc = min(touch - SIDE, round(10 + (touch - SIDE - 10) * number / REACHING))
        moved = max(0, number - REACHING - pause)
        square = touch + round((WIDTH - 10 - SIDE - touch) * moved / LEAVING)
        top = (HEIGHT - SIDE) // 2
        pen.ellipse((disc, top, disc + SIDE, top + SIDE), fill=colour)
        pen.rectangle((square, top, square + SIDE, top + SIDE), fill=(170, 60, 40))
        found.append(picture.tobytes())
    return found


def write(path: Path, shown: list[bytes]) -> None:
    """Write the frames as WebM: VP8 without sound, without anything that differs from run to run."""
    size = f"{WIDTH}x{HEIGHT}"
    taken = ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size, "-framerate", str(RATE), "-i", "-"]
    coded = [
        "-c:v",
        "libvpx",
        "-crf",
        "12",
        "-b:v",
        "200k",
        "-threads",
        "1",
        "-fflags",
        "+bitexact",
        "-flags",
        "+bitexact",
    ]
    subprocess.run(  # noqa: S603 -- the command is fixed
        ["ffmpeg", "-y", "-loglevel", "error", *taken, *coded, str(path)],  # noqa: S607
        input=b"".join(shown),
        check=True,
    )


def main() -> None:
    """Make everything, and write the materials."""
    (FOLDER / "media").mkdir(parents=True, exist_ok=True)
    rows = []
    for colour, ink in COLOURS.items():
        for pause, number in PAUSES.items():
            if colour == "purple" and pause != "short":
                continue
            name = f"{colour}-{pause}.webm"
            write(FOLDER / "media" / name, frames(ink, number))
            is_practice = "true" if colour == "purple" else "false"
            rows.append([colour, "" if colour == "purple" else pause, is_practice, name])
    with (FOLDER / "materials.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item", "pause", "is_practice", "video"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
