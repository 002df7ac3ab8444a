"""Make `syllables.txt.xz` from the CMU Pronouncing Dictionary: `python -m analysis.text.pronounced.make cmudict.dict`.

The dictionary is `cmudict.dict` of https://github.com/cmusphinx/cmudict; its licence is `licence.txt`. Of every word
the first pronunciation counts: as many syllables as it has vowels, which are the sounds with a mark of stress. Only
words that the rules get wrong are kept, so that the file is small; all others have what the rules say.
"""

from __future__ import annotations

import lzma
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from analysis.text.pronounced.spoken import FILE, spoken
from analysis.text.syllables import english_rules


def syllables_of(lines: Iterable[str]) -> dict[str, int]:
    """Return the syllables of every word of lines of the dictionary, but for initials, which are spelled anyway.

    >>> syllables_of(["our AW1 ER0", "our(2) AW1 R", "rain R EY1 N  # what falls"])
    {'our': 2, 'rain': 1}
    """
    found = {}
    for line in lines:
        entry = line.partition("#")[0].split()
        if entry and not entry[0].endswith(")") and "." not in entry[0]:
            found[entry[0]] = sum(sound[-1].isdigit() for sound in entry[1:])
    return found


def written(syllables: dict[str, int]) -> str:
    """Return the text of the file: the words that the rules get wrong, by their number of syllables.

    >>> print(written({"rain": 1, "people": 2, "business": 2, "little": 2, "chaos": 2}))
    2 business chaos little people
    """
    wrong: dict[str, int] = {}
    # Words of several parts come last: their parts are looked up as well.
    for word, number in sorted(syllables.items(), key=lambda entry: (not entry[0].isalpha(), entry[0])):
        if spoken(word, rules=english_rules, listed=wrong) != number:
            wrong[word] = number
    words: dict[int, list[str]] = defaultdict(list)
    for word, number in sorted(wrong.items()):
        words[number].append(word)
    return "\n".join(f"{number} {' '.join(words[number])}" for number in sorted(words))


if __name__ == "__main__":
    text = written(syllables_of(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()))
    FILE.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
