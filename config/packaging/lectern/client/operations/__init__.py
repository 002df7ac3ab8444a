"""All operations of the platform.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from .analyses import OfAnalyses
from .exports import OfExports
from .hooks import OfHooks
from .lifecycle import OfLifecycle
from .materials import OfMaterials
from .media import OfMedia
from .participants import OfParticipants
from .recruitment import OfRecruitment
from .settings import OfSettings
from .simulation import OfSimulation
from .studies import OfStudies
from .texts import OfTexts
from .tokens import OfTokens
from .watching import OfWatching


class Operations(
    OfTokens,
    OfStudies,
    OfLifecycle,
    OfMaterials,
    OfMedia,
    OfTexts,
    OfSettings,
    OfRecruitment,
    OfWatching,
    OfHooks,
    OfParticipants,
    OfSimulation,
    OfExports,
    OfAnalyses,
):
    """Every operation of the platform as a method of its name."""
