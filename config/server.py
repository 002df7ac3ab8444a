"""`python -m config.server`: serve the platform with gunicorn, or with waitress on Windows.

That is gunicorn, as `config/gunicorn.py` sets it up; on Windows, where it does not run, waitress: one process with
as many threads, and the same embedded worker as its child.
"""

from __future__ import annotations

import os
import sys

from config.gunicorn import EMBEDDED, FOLDER, EmbeddedWorker, bind, threads


def serve() -> None:
    """Serve until this process is told to stop."""
    os.chdir(FOLDER)
    if sys.platform == "win32":
        serve_with_waitress()
    else:
        # Replaces this process, so that gunicorn's master stays small.
        command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
        os.execv(sys.executable, command)  # noqa: S606 - our own command


def serve_with_waitress() -> None:
    """Serve with threads of this process, and stop the embedded worker at the end."""
    import waitress

    from config.wsgi import application

    worker = EmbeddedWorker()
    if EMBEDDED:
        worker.start()
    try:
        # Whom to believe about a sender is decided by TRUSTED_PROXIES, as behind gunicorn.
        waitress.serve(application, listen=bind, threads=threads, clear_untrusted_proxy_headers=False, ident=None)
    finally:
        worker.stop()


if __name__ == "__main__":
    serve()
