"""Build a small ARPA trigram model from free texts: the docstrings of installed packages.

    python -m benchmarks.arpa_of_texts --out model.arpa

Absolute discounting with back-off (Ney, Essen and Kneser 1994): every n-gram loses 0.75 of its count to those that
were never seen. Good enough to see what a model does for distractors; a real one is trained on more and on better.
"""

from __future__ import annotations

import argparse
import ast
import math
import re
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from analysis.text.tokens import words_and_marks

DISCOUNT = 0.75
LEAST_COUNT = 2
"""Words seen less often are the unknown word; n-grams of three seen less often are left out."""
PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "django", "rest_framework", "fontTools", "babel", "sacrebleu")
_SENTENCE = re.compile(r"[A-Z][^.!?:`<>{}=_\[\]\\*|/#@]{30,250}[.!?](?=\s|$)")


def documentation_sentences(*, enough: float = math.inf) -> list[str]:
    """Return the sentences in prose of the documentation of Python's library and of installed packages, each once.

    Reads no further file once there are `enough`.
    """
    roots = [Path(sysconfig.get_path("stdlib")), *(Path(sysconfig.get_path("purelib")) / name for name in PACKAGES)]
    found: dict[str, None] = {}
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            if len(found) >= enough:
                return list(found)
            if "site-packages" in path.parts and root.name not in PACKAGES:
                continue
            for text in _documentation(path):
                found.update(dict.fromkeys(" ".join(match[0].split()) for match in _SENTENCE.finditer(text)))
    return list(found)


def _documentation(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def arpa_of(sentences: Iterable[str], *, order: int = 3) -> str:
    """Return the model of sentences in the ARPA format."""
    tokens = [words_and_marks(sentence) for sentence in sentences]
    seen = Counter(token for sentence in tokens for token in sentence)
    known = {token for token, count in seen.items() if count >= LEAST_COUNT}
    lines = [["<s>", *(token if token in known else "<unk>" for token in sentence), "</s>"] for sentence in tokens]
    counts: list[Counter[tuple[str, ...]]] = []
    for size in range(1, order + 1):
        counts.append(Counter(tuple(line[i : i + size]) for line in lines for i in range(len(line) - size + 1)))
    del counts[0][("<s>",)]
    return _written(counts)


def _written(counts: Sequence[Counter[tuple[str, ...]]]) -> str:
    total = counts[0].total()
    probability = {gram: count / total for gram, count in counts[0].items()}
    weight: dict[tuple[str, ...], float] = {}
    for size, grams in enumerate(counts[1:], start=2):
        totals: Counter[tuple[str, ...]] = Counter()
        following: dict[tuple[str, ...], list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        for gram, count in grams.items():
            totals[gram[:-1]] += count
            if size < 3 or count >= LEAST_COUNT:
                following[gram[:-1]].append((gram, count))
        for history, entries in following.items():
            n = totals[history]
            free = 1 - sum(count - DISCOUNT for _gram, count in entries) / n
            # What the shorter history gives to words that this one has seen goes to the others.
            shorter = 1 - sum(_backed_off(gram[1:], probability, weight) for gram, _count in entries)
            for gram, count in entries:
                probability[gram] = (count - DISCOUNT) / n
            weight[history] = free / max(shorter, 1e-9)
    sections = ["\\data\\"]
    listed = [sorted(gram for gram in probability if len(gram) == size) for size in range(1, len(counts) + 1)]
    listed[0].append(("<s>",))
    sections += [f"ngram {size}={len(section)}" for size, section in enumerate(listed, start=1)]
    for size, section in enumerate(listed, start=1):
        sections.append(f"\n\\{size}-grams:")
        for gram in section:
            log10 = math.log10(probability[gram]) if gram in probability else -99.0
            back_off = f"\t{math.log10(weight[gram]):.6f}" if gram in weight else ""
            sections.append(f"{log10:.6f}\t{' '.join(gram)}{back_off}")
    return "\n".join([*sections, "\n\\end\\", ""])


def _backed_off(
    gram: tuple[str, ...], probability: dict[tuple[str, ...], float], weight: dict[tuple[str, ...], float]
) -> float:
    if gram in probability:
        return probability[gram]
    return weight.get(gram[:-1], 1.0) * _backed_off(gram[1:], probability, weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    sentences = documentation_sentences()
    given.out.write_text(arpa_of(sentences), encoding="utf-8")
    print(f"{len(sentences)} sentences in {given.out}")


if __name__ == "__main__":
    main()
