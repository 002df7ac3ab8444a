"""Put everything that is handed on with a release into one folder: wheel, SBOM, provenance, notes, signed checksums.

    python config/packaging/release_files.py WHEEL [--draft] [--sign KEY]
    python config/packaging/release_files.py --check [--sign KEY]

`make release-files` calls it with the wheel that was built. `dist/release-<version>/` then holds the wheel,
`lectern-<version>.cdx.json` (CycloneDX), `lectern-<version>.provenance.json` (SLSA), `NOTES.md` (the section of the
version in CHANGELOG.md) and `SHA256SUMS`, which `sha256sum -c` reads. `--sign` adds `SHA256SUMS.sig`, a signature with
an SSH key whose public half is in `config/packaging/release_signers`. `--draft` takes what is listed under Unreleased
and says so in the name of the folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Found beside this file, also where that is loaded from elsewhere.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from provenance import provenance

ROOT = Path(__file__).resolve().parents[2]
CHECKSUMS, SIGNATURE, NOTES = "SHA256SUMS", "SHA256SUMS.sig", "NOTES.md"
# Who may sign releases, as `ssh-keygen -Y verify` reads it: a name, the namespace, a public key.
SIGNERS = Path("config", "packaging", "release_signers")
NAMESPACE = "lectern-release"


class NotReady(Exception):
    """The files of a release cannot be made as things are; the text says what to do."""


def release_files(wheel: Path, *, into: Path, root: Path = ROOT, draft: bool = False, key: Path | None = None) -> Path:
    """Make the folder of a release in `into` and return it. An earlier one of the same name is replaced.

    `key` is a private SSH key with which the checksums are signed. Raises NotReady where the wheel is of another
    version, the changelog has no notes for it, or the key cannot sign releases.
    """
    version = version_of(root)
    if not re.match(rf"lectern-{re.escape(version)}-", wheel.name) or not wheel.is_file():
        raise NotReady(f"{wheel.name} is no wheel of version {version}. Build it: make wheel.")
    said = notes(root, draft=draft)
    signer = None if key is None else signer_of(key, root)
    folder = into / f"release-{version}{'-draft' if draft else ''}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copyfile(wheel, folder / wheel.name)
    (folder / f"lectern-{version}.cdx.json").write_text(bill_of_materials(folder / wheel.name, root), encoding="utf-8")
    statement = provenance(folder / wheel.name, root)
    (folder / f"lectern-{version}.provenance.json").write_text(statement, encoding="utf-8")
    (folder / NOTES).write_text(said, encoding="utf-8")
    listed = sorted(folder.iterdir())
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in listed]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    if key is not None and signer is not None:
        sign(folder / CHECKSUMS, key, signer, root)
    # Handed on, whatever umask they were made under.
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder


def signer_of(key: Path, root: Path) -> str:
    """Return whose key this is, by `release_signers`. Raises NotReady where nobody could check its signatures."""
    public = _keygen("-y", "-f", str(key)).split()[:2]
    signers = root / SIGNERS
    lines = signers.read_text(encoding="utf-8").splitlines() if signers.is_file() else []
    for line in lines:
        words = line.split()
        if len(public) == 2 and public[1] in words and not line.startswith("#"):
            return words[0]
    raise NotReady(
        f"The public key of {key.name} is not in {SIGNERS}, so nobody could check its signatures. Add a line: "
        f'you@example.org namespaces="{NAMESPACE}" {" ".join(public)}'
    )


def sign(checksums: Path, key: Path, signer: str, root: Path) -> None:
    """Sign the checksums with an SSH key, and check the signature as others will. Raises NotReady where that fails."""
    (checksums.parent / SIGNATURE).unlink(missing_ok=True)
    _keygen("-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(checksums))
    with checksums.open("rb") as file:
        _keygen(
            "-Y", "verify", "-f", str(root / SIGNERS), "-I", signer, "-n", NAMESPACE,
            "-s", str(checksums.parent / SIGNATURE), given=file.read(),
        )  # fmt: skip


def _keygen(*arguments: str, given: bytes = b"") -> str:
    try:
        done = subprocess.run(["ssh-keygen", *arguments], input=given, capture_output=True, check=False, timeout=60)
    except FileNotFoundError as error:
        raise NotReady("Signing needs ssh-keygen of OpenSSH 8.2 or newer. Install it.") from error
    if done.returncode:
        raise NotReady(f"ssh-keygen refused: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="replace").strip()


def version_of(root: Path) -> str:
    """Return the version in pyproject.toml."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def notes(root: Path, *, draft: bool = False) -> str:
    """Return the changes of this version as Markdown; of a draft, those that have no version yet.

    Raises NotReady where there are none, or where changes would be released that the notes leave out.
    """
    version = version_of(root)
    sections = dict(_sections((root / "CHANGELOG.md").read_text(encoding="utf-8")))
    unreleased = sections.get("Unreleased", "")
    if draft:
        return f"# Lectern {version}, draft\n\n{unreleased}\n"
    heading = next((heading for heading in sections if heading.split(" ")[0] == version), None)
    if heading is None or not sections[heading]:
        raise NotReady(f"CHANGELOG.md says nothing about version {version}. Give it a heading: ## {version} – <date>.")
    if unreleased:
        raise NotReady(
            f"CHANGELOG.md lists changes under Unreleased, which the notes of {version} would leave out. Set the new "
            "version in pyproject.toml and put its heading above these changes, or make a draft: "
            "make release-files DRAFT=1."
        )
    return f"# Lectern {heading}\n\n{sections[heading]}\n"


def _sections(changelog: str) -> Iterator[tuple[str, str]]:
    _head, *parts = re.split(r"^## ", changelog, flags=re.MULTILINE)
    for part in parts:
        heading, _end, body = part.partition("\n")
        yield heading.strip(), body.strip()


def bill_of_materials(wheel: Path, root: Path = ROOT) -> str:
    """Return what the wheel contains and needs, as JSON of CycloneDX 1.6.

    Python packages are those of requirements.lock, with the hashes of all their archives: `required` where every
    platform has them, else `optional`. Packages of the browser code are those of frontend/package-lock.json: in the
    wheel (`required`), or used to build and test it (`excluded`). The same inputs give the same text.
    """
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.output import make_outputter
    from cyclonedx.schema import OutputFormat, SchemaVersion
    from packageurl import PackageURL

    version = version_of(root)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    purl = PackageURL("pypi", None, "lectern", version)
    platform = Component(
        name="lectern", version=version, type=ComponentType.APPLICATION, purl=purl, bom_ref=str(purl),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )  # fmt: skip
    bom = Bom(components=[*_python_packages(root), *_browser_packages(root)])
    bom.metadata.component = platform
    bom.register_dependency(platform, bom.components)
    given = json.loads(make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string())
    # A time and a random number would make every run another file.
    del given["metadata"]["timestamp"]
    given["serialNumber"] = f"urn:uuid:{_uuid_of(digest)}"
    return json.dumps(given, indent=2, ensure_ascii=False) + "\n"


def _python_packages(root: Path) -> Iterator[Any]:
    from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
    from cyclonedx.model.component import Component, ComponentScope
    from packageurl import PackageURL
    from packaging.requirements import Requirement

    lock = (root / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in lock.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pinned = Requirement(line.partition(" --hash=")[0])
        version = next(iter(pinned.specifier)).version
        purl = PackageURL("pypi", None, pinned.name, version)
        archives = ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(purl)),
            comment="every archive of this version that may be installed",
            hashes=[
                HashType(alg=HashAlgorithm.SHA_256, content=found)
                for found in re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
            ],
        )  # fmt: skip
        yield Component(
            name=pinned.name, version=version, purl=purl, bom_ref=str(purl), external_references=[archives],
            scope=ComponentScope.OPTIONAL if pinned.marker else ComponentScope.REQUIRED,
            properties=[Property(name="lectern:marker", value=str(pinned.marker))] if pinned.marker else [],
        )  # fmt: skip


def _browser_packages(root: Path) -> Iterator[Any]:
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.component import Component, ComponentScope
    from cyclonedx.model.license import LicenseExpression
    from packageurl import PackageURL

    packages = json.loads((root / "frontend" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    once: dict[str, Component] = {}
    for path, package in packages.items():
        if not path:
            continue  # the front end itself
        group, _slash, name = path.rpartition("node_modules/")[2].rpartition("/")
        purl = PackageURL("npm", group or None, name, package["version"])
        algorithm, _dash, digest = package["integrity"].partition("-")
        is_for_building = package.get("dev", False) or package.get("devOptional", False)
        component = Component(
            group=group or None, name=name, version=package["version"], purl=purl, bom_ref=str(purl),
            hashes=[HashType(alg=HashAlgorithm[algorithm.upper().replace("SHA", "SHA_")],
                             content=b64decode(digest).hex())],
            licenses=[LicenseExpression(package["license"])] if "license" in package else [],
            scope=ComponentScope.EXCLUDED if is_for_building else ComponentScope.REQUIRED,
        )  # fmt: skip
        # The same version may lie in several folders; that it is in the wheel counts.
        if str(purl) not in once or not is_for_building:
            once[str(purl)] = component
    yield from once.values()


def _uuid_of(digest: str) -> str:
    from uuid import NAMESPACE_URL, uuid5

    return str(uuid5(NAMESPACE_URL, f"sha256:{digest}"))


def main(arguments: list[str]) -> int:
    """Carry out the command line and return the exit code."""
    parser = argparse.ArgumentParser(description="Put wheel, SBOM, notes and checksums of a release into one folder.")
    parser.add_argument("wheel", type=Path, nargs="?", help="what make wheel built")
    parser.add_argument("--draft", action="store_true", help="take the changes under Unreleased as notes")
    parser.add_argument("--check", action="store_true", help="only say whether the notes are ready")
    parser.add_argument("--sign", type=Path, metavar="KEY", help="sign the checksums with this private SSH key")
    given = parser.parse_args(arguments)
    try:
        if given.check:
            notes(ROOT)
            if given.sign:
                signer_of(given.sign, ROOT)
            return 0
        wheel = given.wheel or newest_wheel()
        folder = release_files(wheel, into=ROOT / "dist", draft=given.draft, key=given.sign)
    except NotReady as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    sys.stdout.write("\n".join(f"{file.relative_to(ROOT)}" for file in sorted(folder.iterdir())) + "\n")
    return 0


def newest_wheel() -> Path:
    """Return the wheel of this version in dist/. Raises NotReady where there is none."""
    found = sorted((ROOT / "dist").glob(f"lectern-{version_of(ROOT)}-*.whl"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise NotReady(f"There is no wheel of version {version_of(ROOT)} in dist/. Build it: make wheel.")
    return found[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
