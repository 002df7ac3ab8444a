"""Make `britfone.txt.xz`: `python tests/oracles/syllables/make.py britfone.main.3.0.1.csv`.

Britfone (https://github.com/JoseLlarena/Britfone, J. Llarena, MIT licence, beside it) writes how 15,000 words of
British English are said. A word has as many syllables as vowels; of a word with several pronunciations all numbers are
kept.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import defaultdict
from pathlib import Path

VOWEL = re.compile("[aɐɑɒɔəɛɜeɪiʊuʌæoy]")


def counted(lines: list[str]) -> str:
    """Return a line for each word: the word and how many syllables its pronunciations have."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        word, _, sounds = line.partition(", ")
        numbers[re.sub(r"\(\d+\)$", "", word).lower()].add(sum(bool(VOWEL.search(one)) for one in sounds.split()))
    return "\n".join(f"{word} {','.join(map(str, sorted(found)))}" for word, found in sorted(numbers.items()))


if __name__ == "__main__":
    text = counted(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines())
    (Path(__file__).parent / "britfone.txt.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
