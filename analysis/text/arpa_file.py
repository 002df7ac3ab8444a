"""Read a large ARPA file in one pass, keeping only the n-grams that given texts need.

Memory hangs on the texts, not on the model: of every order those n-grams are kept that stand in the texts. The file is
read line by line in the order in which it is written; the 1-grams, which come first, say which words are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from analysis.text.arpa import START, UNKNOWNS, BackOffModel, NotArpa, as_entry

Sentence = Sequence[str]


def model_for(path: Path, sentences: Sequence[Sentence]) -> BackOffModel:
    """Return the part of a model with which sentences of tokens get the surprisal that the whole gives them.

    Raises NotArpa as `read_arpa` does, and where the orders do not follow each other or a line is not UTF-8.
    """
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            return _read(file, sentences)
    except UnicodeDecodeError:
        raise NotArpa("The file is not in UTF-8.") from None


def _read(file: Iterable[str], sentences: Sequence[Sentence]) -> BackOffModel:
    lines = enumerate(file, start=1)
    announced, first = _header(lines)
    probabilities: dict[tuple[str, ...], float] = {}
    weights: dict[tuple[str, ...], float] = {}
    forms = {form for sentence in sentences for token in sentence for form in (token, token.lower())}
    wanted: set[str] = {*forms, START, *UNKNOWNS}
    order, found = 0, 0
    for number, line in chain([first], lines):
        if line.startswith("\\") and (marker := line.strip()).startswith("\\"):
            if order and found != announced[order]:
                raise NotArpa(f"The header announces {announced[order]:,} {order}-grams and the file has {found:,}.")
            if marker == "\\end\\":
                if order != max(announced):
                    raise NotArpa(f"The file ends before its {order + 1}-grams.")
                unknown = next((name for name in UNKNOWNS if (name,) in probabilities), None)
                return BackOffModel(max(announced), probabilities, weights, unknown, announced[1])
            section = re.fullmatch(r"\\(\d+)-grams:", marker)
            if section is None and not order:
                raise NotArpa(f"Line {number} should begin the 1-grams.")
            if section is not None:
                if int(section[1]) != order + 1 or order + 1 not in announced:
                    raise NotArpa(f"Line {number} begins {section[1]}-grams, where {order + 1}-grams should come.")
                order, found = order + 1, 0
                if order == 2:
                    wanted = set(_grams(sentences, {gram[0] for gram in probabilities}, most=max(announced)))
                continue
        gram = _gram(line, order)
        if gram is None:
            continue
        found += 1
        if gram in wanted:
            key, log10, weight = as_entry(line.strip(), order=order, number=number)
            probabilities[key] = log10
            if weight is not None:
                weights[key] = weight
    raise NotArpa("The file has no line \\end\\; it may have been cut off.")


def _header(lines: Iterator[tuple[int, str]]) -> tuple[dict[int, int], tuple[int, str]]:
    """Return the announced numbers of n-grams, and the first line after them."""
    for _, line in lines:
        if line.strip() == "\\data\\":
            break
    else:
        raise NotArpa("The file has no line \\data\\, with which a model in the ARPA format begins.")
    announced: dict[int, int] = {}
    for number, line in lines:
        counted = re.fullmatch(r"ngram\s+(\d+)\s*=\s*(\d+)", line.strip())
        if counted:
            announced[int(counted[1])] = int(counted[2])
        elif line.strip():
            if sorted(announced) != list(range(1, len(announced) + 1)) or not announced:
                break
            return announced, (number, line)
    raise NotArpa("The header announces no 1-grams, or leaves out an order; it needs a line ngram 1=… and so on.")


def _gram(line: str, order: int) -> str | None:
    """Return the words of an entry with single blanks between them; None for an empty line."""
    fields = line.split("\t")
    if len(fields) in (2, 3):
        return fields[1].rstrip("\n") if order > 1 else fields[1].strip()
    words = line.split()
    return " ".join(words[1 : order + 1]) if words else None


def _grams(sentences: Iterable[Sentence], known: set[str], *, most: int) -> Iterator[str]:
    """Yield all n-grams of two and more words that the surprisal of the sentences can ask for."""
    unknown = next((name for name in UNKNOWNS if name in known), None)
    for sentence in sentences:
        words = [START]
        for token in sentence:
            form = token if token in known else token.lower()
            if form in known:
                words.append(form)
            elif any(character.isalnum() for character in token):
                words.append(unknown or form)
        for size in range(2, most + 1):
            for start in range(len(words) - size + 1):
                yield " ".join(words[start : start + size])
