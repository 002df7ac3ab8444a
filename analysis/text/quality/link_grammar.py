"""Parsing English with Debian's link-grammar, where its program is installed; nothing is ever downloaded.

The program is given one sentence per line and prints the links of the best linkage. Roles follow from the kinds of
links: S and SI lead from a subject, O from a verb to its object; nouns elsewhere are X.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence

from analysis.text.quality.parses import Parse, Role, Token
from analysis.text.quality.word_lists import FUNCTION_WORDS

PROGRAM = "link-parser"
MOST_WORDS = 20
"""Longer sentences are not parsed: the time grows with the cube of the length and more."""
BATCH = 100
_SETTINGS = (
    "-postscript=1",
    "-ps-header=0",
    "-graphics=0",
    "-echo=1",
    "-verbosity=1",
    "-limit=100",
    "-timeout=10",
    "-panic=0",
    "-spell=0",
)
_WORD = re.compile(r"\(([^()]*)\)")
_LINK = re.compile(r"\[(\d+) (\d+) -?\d+ \(([^()]*)\)\]")
_SUBSCRIPT = re.compile(r"(?:\[[^\]]*\])?(?:\.([a-z][\w-]*))?$")
_NOUN = frozenset({"n", "s", "p", "f", "m", "b", "l", "u", "i", "o", "t"})
_VERB = frozenset({"v", "q", "w", "g"})


class ParserFailed(RuntimeError):
    """The program could not be run to its end; the message says what it said."""


def installed() -> str | None:
    """Return the version of the installed program, or None where there is none."""
    path = shutil.which(PROGRAM)
    if path is None:
        return None
    try:
        # The path is the one that the system found, and no part of the command comes from data.
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"link-grammar-([\d.]+)", said.stdout + said.stderr)
    return found.group(1) if found else None


def parsed(sentences: Sequence[str], *, advance: Callable[[float], None] = lambda share: None) -> dict[str, Parse]:
    """Return the parses of those sentences that could be parsed.

    `advance` is told the share that is done. Raises ParserFailed.
    """
    path = shutil.which(PROGRAM)
    if path is None:
        raise ParserFailed(f"{PROGRAM} is not installed")
    lines = {sentence: line_of(sentence) for sentence in sentences}
    todo = list(dict.fromkeys(line for line in lines.values() if 0 < len(line.split()) <= MOST_WORDS))
    found: dict[str, Parse] = {}
    for start in range(0, len(todo), BATCH):
        batch = todo[start : start + BATCH]
        try:
            said = subprocess.run(  # noqa: S603 - as above; the sentences are lines of its input, never commands
                [path, "en", *_SETTINGS],
                input="\n".join(batch) + "\n",
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=20 * BATCH,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as fault:
            raise ParserFailed(f"{PROGRAM} did not finish ({type(fault).__name__})") from fault
        found |= read_output(said.stdout, batch)
        advance(min(1.0, (start + BATCH) / len(todo)))
    return {sentence: found[line] for sentence, line in lines.items() if line in found}


def line_of(sentence: str) -> str:
    r"""Return a sentence as one line that the program can only take for a sentence, not for one of its commands.

    Brackets are taken out, as they mark words in what the program prints.

    >>> line_of("!exit"), line_of("% Tom (he)\nleft.")
    ('exit', 'Tom he left.')
    """
    printable = "".join(sign if sign.isprintable() and sign not in "()[]{}<>" else " " for sign in sentence)
    return re.sub(r"^[\W_]+", "", " ".join(printable.split()))


def read_output(said: str, lines: Sequence[str]) -> dict[str, Parse]:
    r"""Return the parses in what the program printed; it repeats each line before its first linkage.

    >>> said = "Tom slept.\nFound 1 linkage\n[(LEFT-WALL)(Tom.m)(slept.v-d)(.)]\n[[0 3 0 (Xp)][1 2 0 (Ss)]]\n[0]\n"
    >>> [(token.form, token.role) for token in read_output(said, ["Tom slept."])["Tom slept."].tokens]
    [('Tom', 'S'), ('slept', None)]
    """
    found: dict[str, Parse] = {}
    waiting = iter(lines)
    awaited = next(waiting, None)
    current: str | None = None
    block: list[str] = []
    for row in [*said.splitlines(), None]:
        if row is not None and row != awaited:
            block.append(row)
            continue
        if current is not None:
            parse = _parse("".join(block))
            if parse is not None:
                found[current] = parse
        current, awaited, block = row, next(waiting, None), []
    return found


def _parse(block: str) -> Parse | None:
    words_end = block.find("][[")
    words_start = block.find("[(")
    if words_start < 0 or words_end < 0:
        return None
    words = _WORD.findall(block[words_start:words_end])
    links = [(int(a), int(b), kind) for a, b, kind in _LINK.findall(block[words_end:])]
    places = {at: number for number, at in enumerate(at for at, word in enumerate(words) if _is_word(word))}
    roles = _roles(links)
    ends = {at for left, right, _ in links for at in (left, right)}
    tokens = []
    for at in places:
        linked = not words[at].startswith("[")
        word = words[at].strip("[]") if not linked else words[at]
        mark = _SUBSCRIPT.search(word)
        form = _SUBSCRIPT.sub("", word) if linked else word
        pos = _pos(mark.group(1) or "" if mark else "", form)
        role: Role | None = roles.get(at, "X") if pos == "NOUN" else None
        tokens.append(Token(form, form.casefold(), pos, role, linked=linked and at in ends))
    arcs = tuple(abs(places[a] - places[b]) for a, b, _ in links if a in places and b in places)
    return Parse(tuple(tokens), arcs)


def _is_word(word: str) -> bool:
    return not word.endswith("-WALL") and any(sign.isalnum() for sign in word)


def _pos(mark: str, form: str) -> str:
    kind = mark.partition("-")[0]
    if kind in _VERB:
        return "VERB"
    if form.casefold() in FUNCTION_WORDS or not form[0].isalpha():
        return "X"
    return "NOUN" if kind in _NOUN or (not kind and form[0].isupper()) else "X"


def _roles(links: Sequence[tuple[int, int, str]]) -> dict[int, Role]:
    """Return the roles by place; what a conjunction joins has the role of the conjunction."""
    roles: dict[int, Role] = {}
    for left, right, label in links:
        kind = label.lstrip("abcdefghijklmnopqrstuvwxyz")
        if kind.startswith("SI"):
            roles[right] = "S"
        elif re.match(r"S(?![FJI])", kind):
            roles[left] = "S"
        elif re.match(r"O(?!F)", kind):
            roles.setdefault(right, "O")
    for left, right, label in links:
        if label.startswith("SJl") and right in roles:
            roles[left] = roles[right]
        elif label.startswith("SJr") and left in roles:
            roles[right] = roles[left]
    return roles
