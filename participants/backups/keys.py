"""Encrypt and decrypt backups with age (age-encryption.org): the server only has the public key.

So an attacker on the server cannot read earlier backups. The program `age` reads the files too.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pyrage

from experiments.started_by import command
from participants.backups.refusals import BackupRefusal

HEAD = b"age-encryption.org/v1"


def new_key(path: Path) -> str:
    """Write a new secret key into a new file that only its owner can read, and return the public key."""
    identity = pyrage.x25519.Identity.generate()
    public = str(identity.to_public())
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as there:
        raise BackupRefusal(f"{path} exists already; nothing was written.") from there
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(f"# public key: {public}\n{identity}\n")
    return public


def encrypt(write: Callable[[BinaryIO], None], out: BinaryIO, *, public_key: str) -> None:
    """Encrypt the output of `write` into `out`, streaming. Raises BackupRefusal for an invalid key."""
    try:
        recipient = pyrage.x25519.Recipient.from_str(public_key.strip())
    except pyrage.RecipientError as fault:
        raise BackupRefusal(
            "The key of the backup is not a public key, which begins with age1. This makes one: "
            f"{command('backup', '--new-key', 'FILE')}."
        ) from fault
    reading, writing = os.pipe()
    failures: list[BaseException] = []

    def produce() -> None:
        try:
            with os.fdopen(writing, "wb") as plain:
                write(plain)
        except BaseException as failure:  # noqa: BLE001 - raised again where the other end is read
            failures.append(failure)

    producer = threading.Thread(target=produce, name="backup")
    producer.start()
    try:
        with os.fdopen(reading, "rb") as plain:
            pyrage.encrypt_io(plain, out, [recipient])
    finally:
        producer.join()
    if failures:
        raise failures[0]


def is_encrypted(path: Path) -> bool:
    """Return whether a file is one of age's."""
    with path.open("rb") as file:
        return file.read(len(HEAD)) == HEAD


def decrypt(path: Path, out: Path, *, key_file: Path | None) -> None:
    """Decrypt a backup with the secret key in `key_file`. Raises BackupRefusal, and OSError for the disk."""
    if key_file is None:
        raise BackupRefusal("The backup is encrypted. Name the file with its secret key by --key-file FILE.")
    if not key_file.is_file():
        raise BackupRefusal(f"There is no file {key_file}.")
    lines = [line.strip() for line in key_file.read_text(encoding="utf-8", errors="replace").splitlines()]
    try:
        identities = [pyrage.x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
        with path.open("rb") as source, out.open("wb") as target:
            pyrage.decrypt_io(source, target, identities)
    except (pyrage.IdentityError, pyrage.DecryptError) as fault:
        raise BackupRefusal(
            f"{path} cannot be decrypted: the key in {key_file} is another one, or the file is damaged ({fault})."
        ) from fault
