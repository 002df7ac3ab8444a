"""Where every operation is, and how it is sent.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from typing import NamedTuple


class Sent(NamedTuple):
    """How an operation is sent: what takes a file has its media types, the files and the texts of a form."""

    method: str
    path: str
    gives: str
    creates: bool = False
    is_guarded: bool = False
    uploads: tuple[str, ...] = ()
    form_files: tuple[str, ...] = ()
    form_texts: tuple[str, ...] = ()


SENT = {
    "get_token": Sent("GET", "tokens/self/", "json"),
    "revoke_token": Sent("POST", "tokens/self/revoke/", "nothing"),
    "list_studies": Sent("GET", "studies/", "rows"),
    "create_study": Sent(
        "POST",
        "studies/",
        "json",
        creates=True,
        uploads=("application/zip",),
        form_files=("file", "materials"),
        form_texts=("slug", "repair", "accept"),
    ),
    "validate_study": Sent(
        "POST",
        "studies/validate/",
        "json",
        uploads=("application/zip",),
        form_files=("file", "materials"),
        form_texts=("slug", "repair", "accept"),
    ),
    "get_study": Sent("GET", "studies/{slug}/", "json"),
    "change_study": Sent("PATCH", "studies/{slug}/", "json", is_guarded=True),
    "delete_study": Sent("DELETE", "studies/{slug}/", "nothing", is_guarded=True),
    "get_readiness": Sent("GET", "studies/{slug}/readiness/", "json"),
    "get_study_file": Sent("GET", "studies/{slug}/study.zip", "file"),
    "open_study": Sent("POST", "studies/{slug}/open/", "json"),
    "pause_study": Sent("POST", "studies/{slug}/pause/", "json"),
    "resume_study": Sent("POST", "studies/{slug}/resume/", "json"),
    "close_study": Sent("POST", "studies/{slug}/close/", "json"),
    "archive_study": Sent("POST", "studies/{slug}/archive/", "json"),
    "unarchive_study": Sent("POST", "studies/{slug}/unarchive/", "json"),
    "copy_study": Sent("POST", "studies/{slug}/copy/", "json", creates=True),
    "get_materials": Sent("GET", "studies/{slug}/materials/", "file"),
    "put_materials": Sent(
        "PUT",
        "studies/{slug}/materials/",
        "json",
        is_guarded=True,
        uploads=(
            "text/csv",
            "text/tab-separated-values",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
    ),
    "check_materials": Sent(
        "POST",
        "studies/{slug}/materials/check/",
        "json",
        uploads=(
            "text/csv",
            "text/tab-separated-values",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
    ),
    "list_materials_versions": Sent("GET", "studies/{slug}/materials/versions/", "rows"),
    "get_materials_version": Sent("GET", "studies/{slug}/materials/versions/{version}/", "json"),
    "get_materials_version_table": Sent("GET", "studies/{slug}/materials/versions/{version}/materials.csv", "file"),
    "get_materials_difference": Sent("GET", "studies/{slug}/materials/versions/{version}/difference/", "json"),
    "restore_materials_version": Sent(
        "POST", "studies/{slug}/materials/versions/{version}/restore/", "json", is_guarded=True
    ),
    "list_media": Sent("GET", "studies/{slug}/media/", "rows"),
    "add_media": Sent(
        "POST",
        "studies/{slug}/media/",
        "json",
        creates=True,
        uploads=("application/zip",),
    ),
    "get_media": Sent("GET", "studies/{slug}/media/{name}", "file"),
    "put_media": Sent(
        "PUT",
        "studies/{slug}/media/{name}",
        "json",
        uploads=(
            "audio/mp4",
            "audio/mpeg",
            "audio/ogg",
            "audio/wav",
            "image/gif",
            "image/jpeg",
            "image/png",
            "image/webp",
            "video/mp4",
            "video/webm",
            "application/octet-stream",
        ),
    ),
    "delete_media": Sent("DELETE", "studies/{slug}/media/{name}", "nothing"),
    "list_texts": Sent("GET", "studies/{slug}/texts/", "rows"),
    "get_text": Sent("GET", "studies/{slug}/texts/{kind}/", "json"),
    "put_text": Sent("PUT", "studies/{slug}/texts/{kind}/", "json", is_guarded=True),
    "get_settings": Sent("GET", "studies/{slug}/settings/", "json"),
    "change_settings": Sent("PATCH", "studies/{slug}/settings/", "json", is_guarded=True),
    "get_plan": Sent("GET", "studies/{slug}/plan/", "json"),
    "put_plan": Sent("PUT", "studies/{slug}/plan/", "json", is_guarded=True),
    "list_sources": Sent("GET", "studies/{slug}/sources/", "json"),
    "create_source": Sent("POST", "studies/{slug}/sources/", "json", creates=True),
    "get_source": Sent("GET", "studies/{slug}/sources/{name}/", "json"),
    "change_source": Sent("PATCH", "studies/{slug}/sources/{name}/", "json", is_guarded=True),
    "delete_source": Sent("DELETE", "studies/{slug}/sources/{name}/", "nothing", is_guarded=True),
    "get_criteria": Sent("GET", "studies/{slug}/criteria/", "json"),
    "put_criteria": Sent("PUT", "studies/{slug}/criteria/", "json", is_guarded=True),
    "get_quota": Sent("GET", "studies/{slug}/quota/", "json"),
    "put_quota": Sent("PUT", "studies/{slug}/quota/", "json", is_guarded=True),
    "create_personal_links": Sent("POST", "studies/{slug}/personal-links/", "json", creates=True),
    "get_flow": Sent("GET", "studies/{slug}/flow/", "json"),
    "get_watch": Sent("GET", "studies/{slug}/watch/", "json"),
    "list_hooks": Sent("GET", "studies/{slug}/hooks/", "rows"),
    "create_hook": Sent("POST", "studies/{slug}/hooks/", "json", creates=True),
    "get_hook": Sent("GET", "studies/{slug}/hooks/{hook}/", "json"),
    "change_hook": Sent("PATCH", "studies/{slug}/hooks/{hook}/", "json", is_guarded=True),
    "delete_hook": Sent("DELETE", "studies/{slug}/hooks/{hook}/", "nothing", is_guarded=True),
    "rotate_hook_secret": Sent("POST", "studies/{slug}/hooks/{hook}/secret/", "json", creates=True),
    "send_test_event": Sent("POST", "studies/{slug}/hooks/{hook}/test/", "json"),
    "list_deliveries": Sent("GET", "studies/{slug}/hooks/{hook}/deliveries/", "rows"),
    "replay_deliveries": Sent("POST", "studies/{slug}/hooks/{hook}/replay/", "json"),
    "list_sessions": Sent("GET", "studies/{slug}/sessions/", "rows"),
    "list_participants": Sent("GET", "studies/{slug}/participants/", "rows"),
    "get_participant": Sent("GET", "studies/{slug}/participants/{pseudonym}/", "json"),
    "exclude_participant": Sent("POST", "studies/{slug}/participants/{pseudonym}/exclude/", "json"),
    "include_participant": Sent("POST", "studies/{slug}/participants/{pseudonym}/include/", "json"),
    "erase_participant": Sent("POST", "studies/{slug}/participants/{pseudonym}/erase/", "json"),
    "erase_everybody": Sent("POST", "studies/{slug}/erase-participants/", "json"),
    "erase_identities": Sent("POST", "studies/{slug}/erase-identities/", "json"),
    "simulate": Sent("POST", "studies/{slug}/simulate/", "json", creates=True),
    "preview_simulation": Sent("POST", "studies/{slug}/simulate/preview/", "json"),
    "get_simulation": Sent("GET", "studies/{slug}/simulation/", "json"),
    "cancel_simulation": Sent("POST", "studies/{slug}/simulation/cancel/", "json"),
    "remove_simulated": Sent("POST", "studies/{slug}/simulation/remove/", "json"),
    "list_exports": Sent("GET", "studies/{slug}/exports/", "rows"),
    "get_everything": Sent("GET", "studies/{slug}/exports/all.zip", "file"),
    "get_export": Sent("GET", "studies/{slug}/exports/{name}", "file"),
    "create_archive": Sent("POST", "studies/{slug}/exports/archives/", "json", creates=True),
    "list_archives": Sent("GET", "studies/{slug}/exports/archives/", "rows"),
    "get_archive": Sent("GET", "studies/{slug}/exports/archives/{archive}/", "json"),
    "download_archive": Sent("GET", "studies/{slug}/exports/archives/{archive}.zip", "file"),
    "get_payment_list": Sent("GET", "studies/{slug}/payment.csv", "file"),
    "list_scores": Sent("GET", "studies/{slug}/scores/", "rows"),
    "list_methods": Sent("GET", "methods/", "rows"),
    "list_runs": Sent("GET", "studies/{slug}/runs/", "rows"),
    "create_run": Sent("POST", "studies/{slug}/runs/", "json", creates=True),
    "get_run": Sent("GET", "studies/{slug}/runs/{run}/", "json"),
    "delete_run": Sent("DELETE", "studies/{slug}/runs/{run}/", "nothing"),
    "cancel_run": Sent("POST", "studies/{slug}/runs/{run}/cancel/", "json"),
    "get_run_file": Sent("GET", "studies/{slug}/runs/{run}/{name}", "file"),
    "get_paper": Sent("GET", "studies/{slug}/paper.zip", "file"),
}
