"""Notes, warnings and sentences of `overlap`."""

from __future__ import annotations

from collections import defaultdict

from analysis.methods.overlap.scores import Scored
from analysis.methods.report import Table
from analysis.methods.wording import counted, listed, number_text
from analysis.text.bleu import bleu_signature
from analysis.text.edits_and_characters import CHRF, TER, signature_of
from analysis.text.ngrams import ORDERS

DELETIONS = {"f1": "its F1, as EASSE does by default", "precision": "its precision, as in the article"}


def notes_of(scored: Scored, *, resamples: int, trials: int) -> list[str]:
    """Say how the scores were computed."""
    signature = bleu_signature(
        scored.read.n_references, tokenizer=scored.tokenizer, lowercase=scored.lowercase, effective_order=False
    )
    references = sorted(set(scored.read.n_references))
    each = str(references[0]) if len(references) == 1 else f"{references[0]} to {references[-1]}"
    noun = "reference" if each == "1" else "references"
    number = len(scored.read.outputs)
    notes = [
        f"{counted(number, 'text')} of {counted(len(scored.read.systems), 'system')} "
        f"{'was' if number == 1 else 'were'} compared with {each} {noun} each. BLEU has the sacrebleu signature "
        f"{signature}; BLEU of single texts leaves out the orders that a text is too short for (eff:yes)."
    ]
    if scored.has_source:
        case = "lower-cased" if scored.lowercase else "with capitals"
        notes.append(
            f"SARI compares the same tokens ({scored.tokenizer}, {case}); it is the mean of Add F1, Keep F1 and "
            f"deletion by {DELETIONS[scored.delete]}, averaged over n = 1 to {ORDERS}, from counts that were added up "
            f"over texts. An operation that nobody asks for and that is not done counts 0 (0/0 = 0)."
        )
    else:
        notes.append("There is no source column, so SARI was not computed.")
    for metric in (CHRF, TER):
        if metric.name in scored.further:
            better = "more" if metric.higher_is_better else "less"
            signed = signature_of(metric, references=references[-1], lowercase=scored.lowercase)
            notes.append(f"{metric.label} is that of sacrebleu ({signed}); {better} is better.")
    if trials and len(scored.read.systems) > 1:
        notes.append(
            f"Systems were compared over the items that both have: by approximate randomisation ({trials:,} exchanges "
            f"of the two systems' texts, item by item; p adjusted by Holm over the pairs of each metric) and by the "
            f"paired bootstrap, both as sacrebleu does."
        )
    if resamples:
        notes.append(
            f"Intervals are the middle 95 % of {resamples:,} bootstrap samples of items; all systems have the same "
            f"items in a sample."
        )
    return notes


def warnings_of(scored: Scored, systems: Table, variants: Table, *, resamples: int) -> list[str]:
    """Say what to mind before these scores are published."""
    said = []
    if not scored.has_source:
        said.append("SARI needs the source of every text; name its column with source=… to have SARI.")
    if not scored.same_references:
        said.append(
            "Texts have different numbers of references. More references raise BLEU, so compare systems only on the "
            "same items; what fewer references would give is not shown."
        )
    elif scored.read.n_references[0] == 1:
        said.append(
            "There is one reference per text. Wording that differs from it counts as wrong, so scores are low and hang "
            "on that one writer."
        )
    if len({output.item for output in scored.read.outputs}) < 2:
        said.append("There is one item, so no interval over items can be given.")
    elif resamples == 0:
        said.append("No intervals were asked for (resamples=0).")
    said += _nothing(scored)
    said += _short(systems)
    said += _orders(variants)
    return said


def _nothing(scored: Scored) -> list[str]:
    """Explain that SARI scores an output without a word above a copy of the source, where it does."""
    found = scored.of_nothing
    if found is None or found.empty <= found.copied:
        return []
    return [
        f"SARI gives {counted(found.texts, 'output')} without a word {number_text(found.empty)}, and would give copies "
        f"of {'its source' if found.texts == 1 else 'their sources'} {number_text(found.copied)}: to leave out every "
        f"word earns the whole score of deletion, and a copy, which deletes and adds nothing, none of it. It is no "
        f"sign of quality; leave empty outputs out with where=…, and look at Keep F1 as well as SARI."
    ]


def sentences_of(scored: Scored, systems: Table) -> tuple[str, ...]:
    """Name the best and the last system under each metric."""
    frame = systems.frame()
    sentences = []
    for metric in ("sari", "bleu") if scored.has_source else ("bleu",):
        ordered = frame.sort_values(metric, ascending=False, kind="stable")
        first, last = ordered.iloc[0], ordered.iloc[-1]
        if len(frame) == 1:
            sentences.append(f"{metric.upper()} was {number_text(first[metric])} (0 to 100).")
            continue
        if first[metric] - last[metric] <= 1e-9:
            sentences.append(f"{metric.upper()} was equal for all systems ({number_text(first[metric])}).")
            continue
        sentences.append(
            f"{metric.upper()} was highest for {first['system']} ({number_text(first[metric])}) and lowest for "
            f"{last['system']} ({number_text(last[metric])})."
        )
    return tuple(sentences)


def _short(systems: Table) -> list[str]:
    """Warn of orders without any n-gram or any match, which make BLEU 0 or leave it to smoothing."""
    said = []
    frame = systems.frame()
    missing: dict[int, list[str]] = defaultdict(list)
    unmatched: dict[int, list[str]] = defaultdict(list)
    for order in range(1, ORDERS + 1):
        for name, precision in zip(frame["system"], frame[f"precision_{order}"].tolist(), strict=True):
            if precision is None or precision != precision:
                missing[order].append(name)
            elif precision == 0:
                unmatched[order].append(name)
    for order, names in missing.items():
        said.append(
            f"No text of {listed(names)} has {counted(order, 'token')}, so there is no {order}-gram precision and BLEU "
            f"is 0; look at the scores of single texts."
        )
    if unmatched:
        of = listed(f"{listed(names)} ({order}-grams)" for order, names in unmatched.items())
        said.append(
            f"No n-gram matches a reference: {of}. BLEU then rests on smoothing (exp), or is 0 where not one word "
            f"matches; do not interpret it."
        )
    lengths = frame["length_ratio"].tolist()
    if any(value != value or value is None for value in lengths):
        said.append("The references have no tokens under this tokeniser, so there is no length ratio.")
    return said


def _orders(variants: Table) -> list[str]:
    """Warn where another variant of a metric puts another system first."""
    said = []
    frame = variants.frame()
    for metric, of_metric in frame.groupby("metric", sort=True):
        first = (
            of_metric[of_metric["rank"] == 1].groupby("variant", sort=False)["system"].agg(lambda names: listed(names))
        )
        if first.nunique() > 1:
            winners = listed(f"{system} ({variant})" for variant, system in first.items())
            said.append(f"Which system is first in {metric} hangs on the variant: {winners}. Say which one you used.")
    return said
