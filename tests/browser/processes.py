"""The processes of browsers that are killed in the middle of something, found through /proc."""

from __future__ import annotations

from pathlib import Path


def main_processes(profile: Path) -> list[int]:
    """Return the main process of the Chromium with this profile, without its renderers and helpers; [] if none runs."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # ended while we looked
        if f"--user-data-dir={profile}" in words and not any(word.startswith("--type=") for word in words):
            found.append(int(folder.name))
    return found


def processes_of(profile: Path) -> list[int]:
    """Return every process of the Chromium with this profile, the main process first."""
    found = main_processes(profile)
    for process in found:  # which grows meanwhile
        try:
            threads = list(Path(f"/proc/{process}/task").iterdir())
            found += [int(child) for thread in threads for child in (thread / "children").read_text().split()]
        except OSError:
            continue  # ended while we looked
    return found
