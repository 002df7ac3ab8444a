"""What one wants to do, in the words of the field: paradigms with their settings filled in, to begin a study with."""

from experiments.presets.catalogue import PRESETS, SEVERAL, offered_presets, preset_named
from experiments.presets.creating import study_from_presets
from experiments.presets.declarations import Preset

__all__ = ["PRESETS", "SEVERAL", "Preset", "offered_presets", "preset_named", "study_from_presets"]
