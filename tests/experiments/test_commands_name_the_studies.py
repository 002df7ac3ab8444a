"""A command that is given a study that is not there says which there are, and ends as a wrong call does: with 2."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db
