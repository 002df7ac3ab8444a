"""Synthesise the sounds of the example `tone-ratings`: `python experiments/examples/make_tones.py`.

Each item is two simultaneous tones at an interval; a condition uses pure tones or six harmonics, whose beats make small
intervals rough. 700 ms each, 16 kHz, 16 bits. The output is reproducible, sample by sample.
"""

from __future__ import annotations

import csv
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).with_name("tone-ratings")
RATE = 16_000
SECONDS = 0.7
RAMP = 0.03
Samples = NDArray[np.float64]
BASE = 261.63
INTERVALS = {"minor-second": 1, "major-third": 4, "tritone": 6, "fifth": 7, "major-seventh": 11, "octave": 12}
HARMONICS = {"pure": 1, "rich": 6}


def tone(hertz: float, harmonics: int) -> Samples:
    """Return a tone whose harmonics fall by 6 dB per octave."""
    time = np.arange(round(RATE * SECONDS)) / RATE
    sound: Samples = np.zeros_like(time)
    for number in range(1, harmonics + 1):
        sound += np.sin(2 * np.pi * hertz * number * time) / number
    return sound


def save(name: str, sound: Samples) -> None:
    """Write a sound with ramps at both ends, normalised to the same RMS as all others."""
    ramp = np.minimum(1, np.minimum(np.arange(len(sound)), np.arange(len(sound))[::-1]) / (RAMP * RATE))
    level = 0.15 / np.sqrt(np.mean(sound**2))
    samples = np.clip(np.round(32_767 * level * ramp * sound), -32_768, 32_767).astype("<i2")
    with wave.open(str(FOLDER / "media" / name), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def main() -> None:
    """Make everything, and write the materials."""
    (FOLDER / "media").mkdir(parents=True, exist_ok=True)
    rows = []
    for name, semitones in INTERVALS.items():
        for spectrum, harmonics in HARMONICS.items():
            file = f"{name}-{spectrum}.wav"
            save(file, tone(BASE, harmonics) + tone(BASE * 2 ** (semitones / 12), harmonics))
            rows.append([name, spectrum, "false", file])
    save("practice.wav", tone(BASE, 2))
    rows.append(["practice", "", "true", "practice.wav"])
    with (FOLDER / "materials.csv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["item", "spectrum", "is_practice", "audio"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
