"""Example data for `text-profile`: four items in two conditions."""

from __future__ import annotations

import pandas as pd

from analysis.methods.declarations import Example


def example() -> Example:
    """Return four items in two conditions."""
    shown = {
        "I1": ("The rain stopped because of the wind.", "The rain stopped because it was windy."),
        "I2": ("The doctor resigned because of the scandal.", "The doctor resigned since people complained."),
        "I3": ("The children laughed because of a clown.", "The children were laughing because a clown fell."),
        "I4": ("Prices rose because of the harvest.", "Prices rose because harvests had been poor."),
    }
    lines = [
        {"item": item, "condition": condition, "text": text}
        for item, texts in shown.items()
        for condition, text in zip(("noun", "clause"), texts, strict=True)
    ]
    return pd.DataFrame(lines), {"text": "text", "condition": ("condition",)}
