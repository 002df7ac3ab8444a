"""Methods, runs, reports, papers.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ..asking import UNSET, Asking, Unset
from ..files import Download
from ..tables import Rows
from .shapes import Method, Run


class OfAnalyses(Asking):
    """Methods, runs, reports, papers."""

    def list_methods(self) -> Rows[Method]:
        """List the methods and their parameters.

        Scopes: `read`.
        """
        return self._rows("list_methods", {})

    def list_runs(
        self,
        slug: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        status: Literal["queued", "running", "done", "failed", "cancelled"] | Unset = UNSET,
        method: str | Unset = UNSET,
    ) -> Rows[Run]:
        """List analyses.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            limit: Rows of a page; 50 unless told.
            cursor: Where the page begins: `next_cursor` of the page before.
            status: Only analyses in this state.
            method: Only analyses of this method.
        """
        return self._rows(
            "list_runs",
            {"slug": slug},
            query={"limit": limit, "cursor": cursor, "status": status, "method": method},
        )

    def create_run(
        self,
        slug: str,
        *,
        method: str,
        params: Mapping[str, Any] | Unset = UNSET,
        table: str | Unset = UNSET,
        part: str | Unset = UNSET,
        other_study: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Run:
        """Run an analysis.

        A worker computes it; ask for its state until it is done. Scopes: `read`, `write`, `data`. For people who may
        edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            params: Parameters by their names, as the command `analyse` takes them.
            table: The table by its name in exports; `trials` unless told.
            part: The task, or pool of tasks; the first one if left out.
            other_study: The study that is compared, for the table `pairs`.
            idempotency_key: A key of your own; by itself a random one.
        """
        found: Run = self._json(
            "create_run",
            {"slug": slug},
            body={"method": method, "params": params, "table": table, "part": part, "other_study": other_study},
            key=idempotency_key,
        )
        return found

    def get_run(
        self,
        slug: str,
        run: int | str,
    ) -> Run:
        """See how far an analysis is.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            run: The number of the analysis.
        """
        found: Run = self._json("get_run", {"slug": slug, "run": run})
        return found

    def delete_run(
        self,
        slug: str,
        run: int | str,
    ) -> None:
        """Delete an analysis.

        Scopes: `read`, `write`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            run: The number of the analysis.
        """
        self._nothing("delete_run", {"slug": slug, "run": run})

    def cancel_run(
        self,
        slug: str,
        run: int | str,
    ) -> Run:
        """Stop an analysis.

        Scopes: `read`, `write`, `data`. For people who may edit the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            run: The number of the analysis.
        """
        found: Run = self._json("cancel_run", {"slug": slug, "run": run})
        return found

    def get_run_file(
        self,
        slug: str,
        run: int | str,
        name: str,
    ) -> Download:
        """Download a file of a report.

        `report.json`, a table such as `anova.csv`, a figure as SVG, PNG or PDF, `report.html`, or `all.zip`: the same
        bytes as the page gives. Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
            run: The number of the analysis.
            name: The name of the file or of the source.
        """
        return self._file("get_run_file", {"slug": slug, "run": run, "name": name})

    def get_paper(
        self,
        slug: str,
    ) -> Download:
        """Download the study as a paper.

        Scopes: `read`, `data`. For members of the study.

        Args:
            slug: The address of the study, such as `causal-sentences`.
        """
        return self._file("get_paper", {"slug": slug})
