"""Balance variants of sessions (such as key mappings) within each list, encoded in the seed.

A variant is what is counterbalanced between participants in addition to the list: the mapping of keys to answers and
the like (`Paradigm.variants_of`), and the order of blocks of trials. It is `seed mod variants`, so that a session can
be planned again from its seed. If several tasks have variants, the first one is balanced; participants keep the keys
that they have learnt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from experiments.design.orders.arranged import LATIN_SQUARE
from experiments.models import Part, StimulusList, Study
from experiments.paradigms import paradigm_behind
from experiments.procedure.arranging import block_rows
from experiments.procedure.sessions import snapshot_of_list
from participants.session.assignment import valid_sessions
from participants.session.rows import with_parts


def variants_of(part: Part) -> int:
    """Return how many variants a task has: those of its paradigm, each with every balanced order of its blocks."""
    paradigm = paradigm_behind(part.paradigm)
    variants = paradigm.variants_of(paradigm.complete_settings(part.settings))
    if part.procedure.get("block_order") != LATIN_SQUARE:
        return variants
    return variants * block_rows(part, snapshot_of_list(part, None).blocks)


def seed_in_balance(study: Study, seed: int, *, lists: Sequence[int], simulated: bool, now: datetime) -> int:
    """Return a seed at or near the given one whose variant has the fewest valid sessions of the list.

    `lists` are those of the tasks of the session. Runs in the transaction that holds the lock on the study, after the
    lists were assigned; otherwise concurrent starts would use the same counts. Ties go to the first variant. Without
    variants the seed is unchanged.
    """
    tasks = {part.pk: variants for part in with_parts(study).tasks if (variants := variants_of(part)) > 1}
    if not tasks:
        return seed
    part_of = dict(StimulusList.objects.filter(pk__in=lists).values_list("pk", "part_id"))
    turned = next((pk for pk in lists if part_of[pk] in tasks), None)
    if turned is None:
        return seed
    variants = tasks[part_of[turned]]
    of_list = valid_sessions(study, simulated=simulated, now=now).filter(
        Q(list_id=turned) | Q(further_lists__list_id=turned)
    )
    if study.languages:
        of_list = of_list.filter(language=study.participants_language)
    taken = Counter(other % variants for other in of_list.values_list("seed", flat=True))
    return with_variant(seed, min(range(variants), key=lambda variant: taken[variant]), variants=variants)


def with_variant(seed: int, variant: int, *, variants: int) -> int:
    """Return the largest number up to `seed` with this variant; the smallest above it where that would be negative.

    >>> with_variant(11, 0, variants=2), with_variant(10, 1, variants=2), with_variant(0, 1, variants=2)
    (10, 9, 1)
    """
    nearest = seed - (seed - variant) % variants
    return nearest if nearest >= 0 else nearest + variants
