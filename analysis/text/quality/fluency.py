"""Sentence fluency: surface features, and features of the parse if there is one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from analysis.text.quality import word_lists as lists
from analysis.text.quality.parses import Parsed
from analysis.text.quality.segments import Sentence

_STRAY = re.compile(r"\s+[.,;:!?](?=\s|$)|([,;:])\s*\1")
_SHORT_ENDINGS = re.compile(r"[.!?…][\"'”’)\]]*$")


def sentence_fluency(text: Sequence[Sentence], parsed: Parsed | None) -> dict[str, float]:
    """Return lengths, variety of words and punctuation; with parses also how sentences are built.

    `fluency_type_token` is the share of different words, `fluency_long_words` of words above six letters,
    `fluency_verbless` of sentences without a verb (with a parser) and `fluency_no_auxiliary` of sentences without
    one of the words of the list of auxiliaries (without one). `fluency_unlinked` is the share of words that
    link-grammar had to leave out, `fluency_arc` the mean distance that a link or dependency spans.

    >>> from analysis.text.quality.segments import sentences
    >>> found = sentence_fluency(sentences("He left . They stayed at home."), None)
    >>> found["fluency_sentences"], found["fluency_words"], found["fluency_length_max"], found["fluency_stray_marks"]
    (2.0, 6.0, 4.0, 1.0)
    """
    words = [word for sentence in text for word in sentence.words]
    tokens = [token for sentence in text for token in sentence.tokens]
    lengths = [len(sentence.words) for sentence in text]
    total, number = len(words) or math.nan, len(text) or math.nan
    mean = len(words) / number
    found = {
        "fluency_sentences": float(len(text)),
        "fluency_words": float(len(words)),
        "fluency_log_words": math.log1p(len(words)),
        "fluency_length_mean": mean,
        "fluency_length_min": float(min(lengths, default=0)),
        "fluency_length_max": float(max(lengths, default=0)),
        "fluency_length_sd": math.sqrt(math.fsum((length - mean) ** 2 for length in lengths) / number),
        "fluency_word_length": sum(map(len, words)) / total,
        "fluency_long_words": sum(len(word) > 6 for word in words) / total,
        "fluency_type_token": len(set(words)) / total,
        "fluency_content_share": len(lists.content_words(tuple(words))) / total,
        "fluency_punctuation": (len(tokens) - len(words)) / total,
        "fluency_commas": tokens.count(",") / total,
        "fluency_colons": (tokens.count(":") + tokens.count(";")) / total,
        "fluency_questions": (tokens.count("?") + tokens.count("!")) / number,
        "fluency_digits": sum(word[0].isdigit() for word in words) / total,
        "fluency_stray_marks": float(sum(len(_STRAY.findall(sentence.text)) for sentence in text)),
        "fluency_capital_start": sum(sentence.written[0][0].isupper() for sentence in text) / number,
        "fluency_end_mark": float(bool(text) and bool(_SHORT_ENDINGS.search(text[-1].text))),
        "fluency_no_auxiliary": sum(not lists.AUXILIARIES & set(sentence.words) for sentence in text) / number,
        "fluency_prepositions": sum(word in lists.PREPOSITIONS for word in words) / total,
        "fluency_relatives": sum(word in lists.RELATIVES for word in words) / total,
        "fluency_negations": sum(word in lists.NEGATIONS for word in words) / total,
    }
    return found | _structure(parsed) if parsed is not None else found


def _structure(parsed: Parsed) -> dict[str, float]:
    parses = [parse for _, parse in parsed]
    known = [parse for parse in parses if parse is not None and parse.tokens]
    depths = [parse.depth for parse in known]
    arcs = [arc for parse in known for arc in parse.arcs]
    words = sum(len(parse.tokens) for parse in known)
    full = bool(depths) and all(depth is not None for depth in depths)
    return {
        "fluency_depth": sum(depth or 0 for depth in depths) / len(depths) if full else math.nan,
        "fluency_arc": sum(arcs) / len(arcs) if arcs else math.nan,
        "fluency_verbless": sum(not parse.has_verb for parse in known) / len(known) if known else math.nan,
        "fluency_unlinked": (
            sum(not token.linked for parse in known for token in parse.tokens) / words if words else math.nan
        ),
        "fluency_unparsed": sum(parse is None for parse in parses) / len(parses) if parses else math.nan,
    }
