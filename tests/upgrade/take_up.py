"""What people do right after an upgrade, against the database that DATABASE_URL names; prints what they got as JSON."""

from __future__ import annotations

import json
import os
import sys


def main(slug: str, code: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["testserver"]
    from tests.participants.studies import Browser
    from tests.upgrade.write_database import RECRUITED

    half = Browser(slug, seed=1, recruitment={"PROLIFIC_PID": RECRUITED})
    recovered = half.post("session/recover/", {"start_key": half.start_key}).status_code
    half.open()
    answered = half.send(*[half.result(trial["position"]) for trial in half.trials[3:]]).status_code
    again = half.send(half.result(0)).status_code  # sent before the upgrade, its answer was lost
    complete = half.complete().json()
    withdrawal = Browser(slug).post("withdraw/", {"withdrawal_code": code, "confirm": True}).status_code
    fresh = Browser(slug, seed=99)
    fresh.answer_all()
    print(  # noqa: T201
        json.dumps(
            {
                "recovered": recovered,
                "answered": answered,
                "again": again,
                "complete": complete["complete"],
                "withdrawal": withdrawal,
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
