"""Django settings, read from environment variables. `docs/configuration.md` lists every variable with meaning and
default.
"""

from __future__ import annotations

import os
from pathlib import Path

import environ
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from config.caches import shared_cache
from config.databases import database
from config.private import private_file, private_folder
from config.secret import secret_key
from config.version import version

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# Everything the embedded default writes lives in one folder that can be backed up, moved or deleted as a whole.
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
private_folder(VAR_DIR)

CODE_VERSION = os.environ.get("CODE_VERSION") or version()
# What `make docs` built, served at /docs/.
DOCS_DIR = Path(env.str("DOCS_DIR", default="") or BASE_DIR / "site")

# Whose platform this is, on the front page and the log-in page. Read directly, as SECRET_KEY is.
LABORATORY = os.environ.get("LABORATORY", "").strip()
DEBUG = env.bool("DEBUG", default=False)
# Read directly: django-environ would interpret a leading $ as the name of another variable.
SECRET_KEY = os.environ.get("SECRET_KEY", "") or secret_key(VAR_DIR / "secret_key")
# Seals what participants hold (participants/sealing.py). Apart from SECRET_KEY, which may be changed at any time.
CODES_KEY = os.environ.get("CODES_KEY", "") or secret_key(VAR_DIR / "codes_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# True wherever browsers reach the platform through HTTPS; the embedded default listens on this machine alone.
HTTPS = env.bool("HTTPS", default=False)
# How many proxies append to X-Forwarded-For: one setting for rate limits, the login guard and the list of sessions.
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
# Where all processes of this machine count requests.
COUNTS_FILE = str(private_file(VAR_DIR / "counts.sqlite3"))

INSTALLED_APPS = [
    "unfold",
    "config.accounts.records.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_vite",
    "csp",
    "axes",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "experiments",
    "participants",
    "analysis",
    "config.accounts",
    "config.assistants",
]

MIDDLEWARE = [
    "config.middleware.HostMiddleware",
    "config.middleware.MonitoringMiddleware",
    "config.middleware.PlainTextMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.IsolationMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.PolicyMiddleware",
    "config.middleware.AdminPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.accounts.staying.UniversityMiddleware",
    "config.accounts.staying.SecondFactorMiddleware",
    "config.accounts.languages.ChosenLanguageMiddleware",
    "config.middleware.BusyMiddleware",
    "config.middleware.SavedFormsMiddleware",
]

MESSAGE_STORAGE = "config.messages.Storage"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Templates of accounts come before those of the library that they override.
        "DIRS": [BASE_DIR / "config" / "templates", BASE_DIR / "config" / "accounts" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.accounts.frame.frame",
            ],
            "libraries": {"help_places": "config.documentation.places"},
        },
    }
]

DATABASES = {
    "default": database(
        os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'lectern.sqlite3'}",
        password=os.environ.get("DATABASE_PASSWORD") or None,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Django's own backend, with the writers of a process in a queue.
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    if DATABASES["default"]["NAME"] != ":memory:":
        private_file(Path(DATABASES["default"]["NAME"]))
    # Closing the last connection writes the whole log back and deletes it, which takes longer than storing a result.
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        # A write transaction takes its lock at once: two writers queue instead of failing half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        # What is deleted is overwritten: a withdrawal leaves nothing that a look at the file would find.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # A database that does not answer at all gives a page that says so, not one that loads for minutes.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
    # From its second use on, a connection's statements of `participants.prepared` are kept by the database. A pooler
    # that gives each transaction another connection may not know them there.
    if env.bool("PREPARED_STATEMENTS", default=True):
        DATABASES["default"]["OPTIONS"].setdefault("prepare_threshold", 1)
# What all processes have to know, and what each of them keeps to save work.
CACHES = {
    "default": shared_cache(env.str("CACHE_URL", default="")),
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "process"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Mail is optional: notices are also shown on pages, and an administrator can create a link for a new password.
EMAIL_URL = env.str("EMAIL_URL", default="")
MAIL_IS_SET_UP = bool(EMAIL_URL)
if MAIL_IS_SET_UP:
    globals().update(env.email_url_config(EMAIL_URL))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="lectern@localhost")
EMAIL_TIMEOUT = 10

# Digests of erased participants, so that erasures can be repeated after restoring an older backup.
ERASURE_JOURNAL = Path(env.str("ERASURE_JOURNAL", default="") or VAR_DIR / "erasures.jsonl")
# The public key with which backups are encrypted.
BACKUP_KEY = env.str("BACKUP_KEY", default="")

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or "memory://localhost/"
# Without a broker the worker is a child of the web server and finds queued analyses in the database.
EMBEDDED_WORKER = CELERY_BROKER_URL.startswith("memory://")
# What the worker looks after every minute beside erasures.
DUTIES = [
    "participants.session.planned_exclusion.judge_some",
    "participants.session.figures.keep_some_figures",
    "analysis.archives.kept.tidy_archives",
    "analysis.deposits.managing.tidy_deposits",
    "participants.watching.notifications.tell_some",
    "config.accounts.tokens.made.forget_answers",
    "participants.hooks.storing.store_some",
    "participants.hooks.sending.send_some",
    "participants.recruiting.working.work_some",
]
# What happens in a study that its hooks may send: functions from a study and a time to events.
HOOK_SOURCES = ["participants.hooks.happened.happened_in", "analysis.runs.hooks.happened_in"]
# Whether hooks may send to addresses inside the network, and without encryption.
HOOKS_MAY_REACH_PRIVATE_ADDRESSES = env.bool("HOOKS_MAY_REACH_PRIVATE_ADDRESSES", default=False)
# The API of Prolific, for studies that recruit by it.
PROLIFIC_ADDRESS = env.str("PROLIFIC_ADDRESS", default="https://api.prolific.com/api/v1/")
# What workers compute beside analyses and looks.
FURTHER_JOBS = ["analysis.archives.life.ClaimedArchive", "analysis.deposits.life.ClaimedDeposit"]
# Loaded where a message is sent or taken: without a broker no process needs Celery.
TASKS_APPLICATION = "config.celery.app"
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_IGNORE_RESULT = True
# A message is a wake-up, so nothing is lost with it; acknowledged late, none waits with a worker that is busy.
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Archives of studies, for a day; worker and web servers share the folder.
ARCHIVES_ROOT = private_folder(Path(env.str("ARCHIVES_ROOT", default="") or VAR_DIR / "archives"))
# Files of deposits while they are uploaded; worker and web servers share the folder.
DEPOSITS_ROOT = private_folder(Path(env.str("DEPOSITS_ROOT", default="") or VAR_DIR / "deposits"))
# Addresses of archives: the pages and the interface, of OSF also the host of the files.
DEPOSIT_ADDRESSES = {
    "zenodo": {"base": "https://zenodo.org"},
    "zenodo-sandbox": {"base": "https://sandbox.zenodo.org"},
    "osf": {"base": "https://api.osf.io", "files": "https://files.osf.io", "pages": "https://osf.io"},
}
# The hosts of Dataverses to which studies may go; every public one where none is named.
DEPOSIT_DATAVERSES = env.list("DEPOSIT_DATAVERSES", default=[])
# Whether a Dataverse may be inside the network, and without encryption.
DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES = env.bool("DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES", default=False)
# Every analysis gets a process of its own anyway, which the processes of Celery's default pool may not start.
CELERY_WORKER_POOL = "threads"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# How often workers are woken up for what nobody computes; by the next time these messages have expired.
SWEEP_SECONDS = 10.0
# Every analysis is computed in a process of its own within these limits: seconds, and megabytes of address space, half
# of those of the smallest machine that docs/installation.md names.
ANALYSIS_TIME_LIMIT = env.int("ANALYSIS_TIME_LIMIT", default=1800)
ANALYSIS_MEMORY_LIMIT = env.int("ANALYSIS_MEMORY_LIMIT", default=2048)
CELERY_BEAT_SCHEDULE = {
    "sweep-analysis-runs": {
        "task": "analysis.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep-simulations": {
        "task": "participants.sweep_simulations",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "look-after-participants": {"task": "participants.look_after", "schedule": 60.0},
}

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
# An account is locked for one address: a laboratory shares an address, and nobody can lock out somebody else.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "participants.limits.addresses.client_address"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
# Refused log-ins are not for browsing: `manage.py axes_list_attempts` and `axes_reset` are there.
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False  # every command would begin with a line on stderr
# A link for a new password works once, and for a day.
PASSWORD_RESET_TIMEOUT = 24 * 3600

# Second factors, the list of sessions and the log-in of a university are django-allauth's; passwords stay Django's.
ACCOUNT_ADAPTER = "config.accounts.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email"]
ACCOUNT_LOGOUT_REDIRECT_URL = "admin:login"
MFA_ADAPTER = "config.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Lectern"
# Clocks of telephones go wrong by seconds.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "config.accounts.forms.SecondFactorForm",
    "reauthenticate": "config.accounts.forms.ConfirmationForm",
}
# Who has to have a second factor: nobody, administrators or everybody.
SECOND_FACTOR_REQUIRED = env.str("SECOND_FACTOR_REQUIRED", default="") or "nobody"
if SECOND_FACTOR_REQUIRED not in ("nobody", "administrators", "everybody"):
    raise ImproperlyConfigured("SECOND_FACTOR_REQUIRED must be nobody, administrators or everybody.")
# Browsers take security keys over HTTP on this machine alone, as on the embedded default.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS

# The log-in of a university by OpenID Connect: off without an address of its server.
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", default="")
OIDC_IS_SET_UP = bool(OIDC_SERVER_URL)
OIDC_PROVIDER_ID = "home"
OIDC_NAME = env.str("OIDC_NAME", default="") or _("your university")
OIDC_ROLE_CLAIM = env.str("OIDC_ROLE_CLAIM", default="eduperson_affiliation")
OIDC_RESEARCHERS = env.list("OIDC_RESEARCHERS", default=["faculty", "staff"])
OIDC_ADMINISTRATORS = env.list("OIDC_ADMINISTRATORS", default=[])
# A session that came through the university is confirmed there after half an hour, and ends without that after an hour.
OIDC_CONFIRM_SECONDS, OIDC_SESSION_SECONDS = 1800, 3600
SOCIALACCOUNT_ADAPTER = "config.accounts.university.UniversityAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": OIDC_PROVIDER_ID,
                "name": str(env.str("OIDC_NAME", default="")) or "University",
                "client_id": env.str("OIDC_CLIENT_ID", default=""),
                "secret": env.str("OIDC_CLIENT_SECRET", default=""),
                "settings": {
                    "server_url": OIDC_SERVER_URL,
                    "scope": env.list("OIDC_SCOPES", default=["openid", "profile", "email"]),
                },
            }
        ]
        if OIDC_IS_SET_UP
        else [],
    }
}
# The pages' policy lets no form lead to another site, so the university is a link; its answer is bound to the session.
SOCIALACCOUNT_LOGIN_ON_GET = True
# An address of the university is not proof enough to take over an account that exists here.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False

LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", _("English")), ("de", _("German"))]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR_DIR / "static")))
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.exists() else []
# Pictures and sounds of studies; any storage of Django's will do, such as one that speaks S3.
MEDIA_ROOT = env.str("MEDIA_ROOT", default="") or str(VAR_DIR / "media")
MEDIA_STORAGE = env.str("MEDIA_STORAGE", default="") or "django.core.files.storage.FileSystemStorage"
STORAGES = {
    "default": {"BACKEND": MEDIA_STORAGE, "OPTIONS": env.json("MEDIA_STORAGE_OPTIONS", default={})},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG
DJANGO_VITE = {"default": {"dev_mode": False, "manifest_path": FRONTEND_DIST / "manifest.json"}}

# Participant pages: nothing but our own scripts. jsPsych sets style attributes, so inline styles are allowed.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
        # Videos are played from memory: from a network they may stop in a trial.
        "media-src": [SELF, "blob:"],
        "font-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# The admin theme evaluates expressions from its own templates; no participant page carries this policy.
ADMIN_CONTENT_SECURITY_POLICY = {
    **CONTENT_SECURITY_POLICY["DIRECTIVES"],
    "script-src": [SELF, UNSAFE_EVAL],
    "frame-ancestors": [SELF],
}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
    # For other host names of the same domain only their operators can decide.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
    # The two that ask for sub-domains and for the list that browsers are delivered with.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Lectern",
    "DESCRIPTION": "Everything a participant's client needs: facts about a study, starting, results, completion.",
    "VERSION": CODE_VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {"SessionStatus": ("running", "complete", "ended")},
}

# The steps of a study in the admin, in order. Each is a class with a slug, a label, a state and an address.
STUDY_STEPS = [
    "experiments.study.steps.Parts",
    "experiments.study.steps.Materials",
    "experiments.study.steps.Design",
    "experiments.study.steps.Procedure",
    "experiments.study.steps.Texts",
    "experiments.study.steps.Preview",
    "analysis.studies.steps.Plan",
    "experiments.study.steps.Sources",
    "experiments.study.steps.Open",
    "participants.watching.steps.Watch",
    "analysis.studies.steps.Code",
    "analysis.studies.steps.Data",
    "analysis.studies.steps.Analyse",
    "analysis.studies.steps.Export",
]

# What a study should say before it opens, beside what `experiments` itself sees: functions from a study to faults that
# never block.
OPENING_WARNINGS = [
    "analysis.studies.materials.opening_warnings",
    "analysis.studies.sequential.opening_warnings",
]
# What the page that opens a study shows below them: functions from a study to HTML, empty where there is nothing.
OPENING_PANELS = ["analysis.studies.materials.opening_panel"]
# What the page about a running study says above its numbers: functions from a study to HTML, empty for nothing.
WATCH_NOTES = ["analysis.studies.sequential.watch_note"]
# What the page of the materials leads to: functions from a study to a label and an address.
MATERIALS_LINKS = [
    "analysis.studies.materials.profile_link",
    "analysis.studies.materials.scores_link",
    "analysis.studies.distractors.distractors_link",
]

# How long the parts of an opened study took: a function from a study to the seconds and the sessions of each part.
MEASURED_DURATIONS = "participants.watching.durations.measured_durations"
# How long its parts are estimated to take: a function from a study to the seconds of each part and the minutes of all.
ESTIMATED_SECONDS = "experiments.procedure.durations.estimated_seconds"
# What a column is called on pages: a function from its name to words.
COLUMN_WORDS = "analysis.codebook.questions.name_of_column"
# How many notifications somebody has not read, for the head of researchers' pages: a function from a person.
UNREAD_NOTIFICATIONS = "participants.watching.notifications.unread_for"
# What the list of studies says above them: functions from a person to a sentence, empty where there is nothing to say.
START_NOTICES = ["analysis.studies.filling.notice"]

# The frame of the admin. Researchers meet their studies first; accounts are for administrators.
UNFOLD = {
    "SITE_TITLE": "Lectern",
    "SITE_HEADER": "Lectern",
    "SITE_ICON": lambda request: static("studies/icon.svg"),
    "SITE_URL": None,
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "6px",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("studies/icon.svg")}],
    "ACCOUNT": {
        "navigation": [
            {"title": _("Second factor"), "link": reverse_lazy("mfa_index")},
            {"title": _("Where you are logged in"), "link": reverse_lazy("usersessions_list")},
            {"title": _("Tokens"), "link": reverse_lazy("tokens")},
            {"title": _("Language"), "link": reverse_lazy("language")},
        ],
    },
    "DASHBOARD_CALLBACK": "experiments.views.index.fill_start_page",
    "STYLES": [
        lambda request: static("fonts/source-sans-3.css"),
        lambda request: static("studies/identity.css"),
        lambda request: static("studies/records.css"),
    ],
    "COLORS": {
        "base": {
            "50": "oklch(98.2% 0.003 95)",
            "100": "oklch(96.4% 0.004 95)",
            "200": "oklch(91.5% 0.005 95)",
            "300": "oklch(86.5% 0.006 95)",
            "400": "oklch(68% 0.01 255)",
            "500": "oklch(53% 0.012 255)",
            "600": "oklch(44% 0.015 255)",
            "700": "oklch(36% 0.015 255)",
            "800": "oklch(29% 0.014 255)",
            "900": "oklch(21.5% 0.012 255)",
            "950": "oklch(15% 0.01 255)",
        },
        # Lighter and darker shades of the one blue of studies/identity.css.
        "primary": {
            "50": "oklch(97.5% 0.012 240)",
            "100": "oklch(95.5% 0.02 240)",
            "200": "oklch(90% 0.045 240)",
            "300": "oklch(82.5% 0.075 240)",
            "400": "oklch(75% 0.095 240)",
            "500": "oklch(62% 0.1 240)",
            "600": "var(--blue)",
            "700": "var(--blue-pressed)",
            "800": "oklch(36% 0.074 240)",
            "900": "oklch(31% 0.04 240)",
            "950": "oklch(20% 0.02 240)",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "title": None,
                "items": [
                    {
                        "title": _("Studies"),
                        "icon": "menu_book",
                        "link": reverse_lazy("study:index"),
                        "active": lambda request: (
                            request.path == "/admin/" or request.path.startswith("/admin/studies/")
                        ),
                    },
                    {"title": _("Teams"), "icon": "group", "link": reverse_lazy("teams")},
                    {"title": _("History"), "icon": "history", "link": reverse_lazy("history")},
                    {"title": _("Help"), "icon": "help", "link": reverse_lazy("documents")},
                ],
            },
            {
                "title": _("Accounts"),
                "separator": True,
                "items": [
                    {
                        "title": _("People"),
                        "icon": "person",
                        "link": reverse_lazy("people"),
                        "permission": lambda request: request.user.is_superuser,
                    },
                    {
                        "title": _("Invite somebody"),
                        "icon": "person_add",
                        "link": reverse_lazy("invite"),
                        "permission": lambda request: request.user.is_superuser,
                    },
                ],
            },
        ],
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {"secrets": {"()": "config.log.WithoutSecretAddresses"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["secrets"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO").upper()},
}
