"""A command that is given a study that is not there names those that are, and ends as a wrong call does: with 2.

`check_data` keeps 1 for data that violate an invariant, so that a script can tell the two apart.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from experiments.models import Study

COMMANDS = {
    "check_data": (),
    "rebuild_figures": (),
    "simulate": ("--participants", "1", "--seed", "1"),
    "erase_participant": ("code",),
    "payment_list": ("--out", "file.csv"),
    "export_study": ("--out", "file.zip"),
    "export_data": ("--out", "folder"),
    "paper": ("--out", "folder"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_study_is_told_from_the_known_ones(
    study: Study, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=rf"^There is no study 'nowhere'\. The studies are: {study.slug}\.$") as said:
        call_command(command, "nowhere", *COMMANDS[command])
    assert said.value.returncode == 2
    assert list(tmp_path.iterdir()) == []
