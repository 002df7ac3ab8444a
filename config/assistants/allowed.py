"""Which operations of the API assistants can use, and why not the others: every operation is in one of two tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Allowed:
    """An operation that tools use: how it is asked, and whether it changes a study, which must then be a draft."""

    method: str
    path: str
    changes_draft: bool = False
    creates: bool = False


ALLOWED: Mapping[str, Allowed] = {
    "get_token": Allowed("GET", "tokens/self/"),
    "list_methods": Allowed("GET", "methods/"),
    "list_studies": Allowed("GET", "studies/"),
    "get_study": Allowed("GET", "studies/{slug}/"),
    "get_readiness": Allowed("GET", "studies/{slug}/readiness/"),
    "get_settings": Allowed("GET", "studies/{slug}/settings/"),
    "get_materials": Allowed("GET", "studies/{slug}/materials/"),
    "list_media": Allowed("GET", "studies/{slug}/media/"),
    "list_texts": Allowed("GET", "studies/{slug}/texts/"),
    "get_text": Allowed("GET", "studies/{slug}/texts/{kind}/"),
    "get_plan": Allowed("GET", "studies/{slug}/plan/"),
    "get_criteria": Allowed("GET", "studies/{slug}/criteria/"),
    # These three store nothing.
    "validate_study": Allowed("POST", "studies/validate/"),
    "check_materials": Allowed("POST", "studies/{slug}/materials/check/"),
    "preview_simulation": Allowed("POST", "studies/{slug}/simulate/preview/"),
    "create_study": Allowed("POST", "studies/", creates=True),
    "copy_study": Allowed("POST", "studies/{slug}/copy/", creates=True),
    "change_study": Allowed("PATCH", "studies/{slug}/", changes_draft=True),
    "change_settings": Allowed("PATCH", "studies/{slug}/settings/", changes_draft=True),
    "put_materials": Allowed("PUT", "studies/{slug}/materials/", changes_draft=True),
    "put_text": Allowed("PUT", "studies/{slug}/texts/{kind}/", changes_draft=True),
    "put_plan": Allowed("PUT", "studies/{slug}/plan/", changes_draft=True),
    "put_criteria": Allowed("PUT", "studies/{slug}/criteria/", changes_draft=True),
}

# Reason → operations.
REFUSED: Mapping[str, tuple[str, ...]] = {
    "people decide when others take part": (
        "open_study", "pause_study", "resume_study", "close_study", "simulate", "cancel_simulation",
    ),
    "people decide what is deleted": (
        "delete_study", "delete_media", "delete_source", "delete_run", "remove_simulated", "archive_study",
        "unarchive_study",
    ),
    "erasing is for people alone": ("erase_participant", "erase_everybody", "erase_identities"),
    "the data of participants stay on the platform": (
        "list_sessions", "list_participants", "get_participant", "exclude_participant", "include_participant",
        "list_exports", "get_everything", "get_export", "create_archive", "list_archives", "get_archive",
        "download_archive", "list_runs", "create_run", "get_run", "cancel_run", "get_run_file", "get_paper",
        "list_scores", "get_flow", "get_watch", "get_simulation", "get_quota",
    ),
    "payment and recruitment ids are for people alone": (
        "get_payment_list", "create_personal_links", "list_sources", "create_source", "get_source", "change_source",
    ),
    "a study file holds the codes of recruitment services": ("get_study_file",),
    "files of pictures and sounds are not text": ("add_media", "get_media", "put_media"),
    "the fields of a draft hold its quota": ("put_quota",),
    "people revoke tokens on their page": ("revoke_token",),
    "hooks send what happens in a study elsewhere": (
        "list_hooks", "create_hook", "get_hook", "change_hook", "delete_hook", "rotate_hook_secret", "send_test_event",
        "list_deliveries", "replay_deliveries",
    ),
    "people compare versions and go back to them": (
        "list_materials_versions", "get_materials_version", "get_materials_version_table", "get_materials_difference",
        "restore_materials_version",
    ),
}  # fmt: skip

# Fields of a study that assistants change; the others decide when data are erased.
FIELDS = (
    "slug", "title", "description", "tags", "language", "responsible", "contact", "estimated_minutes",
    "data_protection_note", "notice", "quota",
)  # fmt: skip
