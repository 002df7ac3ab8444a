"""Compute the surprisal of words in context with an ARPA language model, reading only the needed entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.text.arpa import BITS, START, BackOffModel
from analysis.text.arpa_file import model_for

Context = tuple[str, ...]


@dataclass
class Improbability:
    """Surprisal after contexts. The file is read twice: for the words that it knows, then for what is asked of it."""

    path: Path
    vocabulary: BackOffModel
    asked: set[tuple[Context, str]] = field(default_factory=set)
    model: BackOffModel | None = None

    @classmethod
    def knowing(cls, path: Path, words: Iterable[str]) -> Improbability:
        """Return the improbability by a model, which may be asked for these words. Raises NotArpa, OSError."""
        forms = {form for word in words for form in (word, word.capitalize(), word.upper())}
        return cls(path, model_for(path, [[form] for form in sorted(forms)]))

    def form(self, word: str) -> str | None:
        """Return how the model writes a word: as it stands, in small letters or with a capital; None if not at all."""
        forms = (word, word.lower(), word.capitalize())
        return next((form for form in forms if self.vocabulary.knows(form)), None)

    def context(self, tokens: Sequence[str]) -> Context:
        """Return what the model sees of the tokens before a word; marks that it does not know are left out."""
        seen = [START]
        for token in tokens:
            form = self.form(token)
            if form is not None or any(character.isalnum() for character in token):
                seen.append(form or self.vocabulary.unknown or token)
        return tuple(seen[max(0, len(seen) - self.vocabulary.order + 1) :])

    def ask(self, context: Context, word: str) -> None:
        """Note that the surprisal of a word will be wanted."""
        form = self.form(word)
        if form is not None:
            self.asked.add((context, form))

    def read(self) -> None:
        """Read what has been asked. Raises NotArpa."""
        self.model = model_for(self.path, [[*context, form] for context, form in sorted(self.asked)])

    def bits(self, context: Context, word: str) -> float | None:
        """Return −log2 P(word | context) of something asked; None for a word that the model does not know."""
        form = self.form(word)
        if form is None or self.model is None:
            return None
        log10 = self.model.log10_probability(form, context)
        return None if log10 is None else -log10 * BITS
