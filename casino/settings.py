"""The one settings file. Everything that differs between places comes from the environment;
`docs/OPERATIONS.md` lists it.
"""

import hashlib
import logging
from pathlib import Path

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from casino.database import database_config


class _Values(environ.fileaware_mapping.FileAwareMapping):  # type: ignore[misc]  # it has no types
    """NAME, or NAME_FILE: a file that holds the value, without the newline that editors and shells
    end a file with.
    """

    def __getitem__(self, key: str) -> str:
        try:
            return str(super().__getitem__(key)).strip()
        except OSError as error:
            raise ImproperlyConfigured(
                f"The file that {key}_FILE names cannot be read: {error.strerror}."
            ) from error


class _Env(environ.Env):  # type: ignore[misc]
    ENVIRON = _Values()


env = _Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# What this instance is
DEMO = env.bool(
    "SAALCHEF_DEMO", default=False
)  # demo people may exist and their codes are shown; set by `make run` only
# where a new demo house lies
DEMO_TIME_ZONE = env.str("SAALCHEF_DEMO_TIME_ZONE", default="Europe/Zurich")
INSTANCE = env.str(
    "SAALCHEF_INSTANCE", default=hashlib.sha256(str(BASE_DIR).encode()).hexdigest()[:8]
)
HTTPS = env.bool("SAALCHEF_HTTPS", default=not DEMO)
DEBUG = False  # error pages are our own everywhere; tracebacks go to the log
SECRET_KEY = env.str("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
SIGNATURE_KEY = env.str("SIGNATURE_KEY")
SIGNATURE_KEY_FALLBACKS = env.list("SIGNATURE_KEY_FALLBACKS", default=[])
_KEYS = {
    "SECRET_KEY": {SECRET_KEY, *SECRET_KEY_FALLBACKS},
    "SIGNATURE_KEY": {SIGNATURE_KEY, *SIGNATURE_KEY_FALLBACKS},
}
# whoever guesses one signs themselves in, or signs, as anybody
for _name, _keys in _KEYS.items():
    if any(len(_key) < 32 or len(set(_key)) < 5 for _key in _keys):
        raise ImproperlyConfigured(
            f"{_name} (or one of {_name}_FALLBACKS) is too weak: it needs 32 random characters"
            " or more, for example from `openssl rand -hex 32`."
        )
if _KEYS["SECRET_KEY"] & _KEYS["SIGNATURE_KEY"]:  # one is replaced, the other kept for ever
    raise ImproperlyConfigured(
        "SIGNATURE_KEY (or one of its fallbacks) is a SECRET_KEY too: it needs a value of its own,"
        " for example from `openssl rand -hex 32`."
    )
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
WATCHED_DISKS = env.list("WATCHED_DISKS", default=[])

INSTALLED_APPS = [
    "casino.apps.CasinoConfig",
    "tables.apps.TablesConfig",
    "jackpot.apps.JackpotConfig",
    "payouts.apps.PayoutsConfig",
    "casino.apps.HouseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_htmx",
    "django_prometheus",
    "django_structlog",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "csp",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "casino.people.middleware.PersonLocaleMiddleware",
    "casino.edge.bodies_end",
    "casino.people.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "casino.people.middleware.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
    "casino.edge.in_one_thread",  # the last
]

ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"
WSGI_APPLICATION = "casino.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "csp.context_processors.nonce",
                "casino.people.context.house",
                "casino.home.places.places",
            ],
        },
    }
]

# Database: two roles on one database
# The app role serves; the owner role owns tables and migrates (`manage.py migrate` switches by
# itself).
DATABASE_URL = env.str("DATABASE_URL")
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", default="")
# The role that writes seals: for the worker that takes them, and for migrations.
DATABASE_SEAL_URL = env.str("DATABASE_SEAL_URL", default="")
SEALER = database_config(DATABASE_SEAL_URL) if DATABASE_SEAL_URL else {}
DATABASE_POOL_SIZE = env.int("DATABASE_POOL_SIZE", default=0)
DATABASES = {"default": database_config(DATABASE_URL, pool_size=DATABASE_POOL_SIZE)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SEAL_KEY_PATH = Path(env.str("SEAL_KEY_PATH", default=str(BASE_DIR / "var" / "seals" / "key.pem")))
SEAL_HEADS = env.str("SEAL_HEADS", default="")  # a folder, best on another machine
SEAL_WEBHOOK = env.str("SEAL_WEBHOOK", default="")  # takes each head as JSON by POST
if SEAL_WEBHOOK and not SEAL_WEBHOOK.startswith(("https://", "http://")):
    raise ImproperlyConfigured("SEAL_WEBHOOK is no address that can be posted to: write https://…")

REPORTS_DIR = env.str("REPORTS_DIR", default=str(BASE_DIR / "var" / "reports"))
REPORTS_KEEP_H = env.int("REPORTS_KEEP_H", default=24)

# Redis: hints only, never the truth
REDIS_URL = env.str("REDIS_URL")
# a command waits for its hint 0.3 s at most, all told
_SOCKET = {"socket_timeout": 0.2, "socket_connect_timeout": 0.2}
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace(
    "?db=", "?virtual_host=", 1
)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task is a hint: taken is gone. Redis' emulation of acknowledgements would keep it, and kills
    # the worker when Redis dies before one is written (kombu 5.7).
    "ack_emulation": False,
    "global_keyprefix": f"{INSTANCE}:",
    # publishing tries once: any more sleeps 2 s in between, inside somebody's command
    "max_retries": 0,
} | _SOCKET
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis as long as it takes
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_SOFT_TIME_LIMIT = 90
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5
# concerns late acks, which we have none of; quiet
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BEAT_SCHEDULER = "casino.celery:Beat"
CELERY_TIMEZONE = "UTC"
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        # redis-py 8 gives a blocking read 5 s by default, which would drop every idle subscription.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}], "prefix": INSTANCE},
    }
}
# how often sockets are told the truth, whatever Redis does
LIVE_READ_S = env.float("LIVE_READ_S", default=1.0)
LIVE_HEARTBEAT_S = env.float("LIVE_HEARTBEAT_S", default=2.0)
# how long a socket may outlive its session or device
LIVE_CHECK_S = env.float("LIVE_CHECK_S", default=30.0)

# People
AUTH_USER_MODEL = "casino.Person"
AUTHENTICATION_BACKENDS = ["casino.people.signin.PersonBackend"]
PASSWORD_HASHERS = ["casino.people.hashers.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
OTP_TOTP_ISSUER = "Saalchef"
OTP_TOTP_SYNC = True
OTP_TOTP_THROTTLE_FACTOR = (
    0  # casino/people/tries.py counts; a second brake would refuse a right code after a wrong one
)
SIGN_IN_TRIES = 5  # wrong tries in a row from one place that lock a person's sign-in, or PIN, there
# a locked password opens again by itself; a PIN never does
SIGN_IN_LOCK_S = env.int("SIGN_IN_LOCK_S", default=900)
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"
# One browser may hold a session of several instances on one host: cookies ignore the port, so the
# name tells them apart.
SESSION_COOKIE_NAME = f"saalchef-{INSTANCE}"
SESSION_COOKIE_AGE = env.int("SESSION_AGE_S", default=12 * 3600)
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = f"saalchef-csrf-{INSTANCE}"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "casino.ops.error_pages.csrf_refused"

# Browser
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
if TRUST_PROXY:  # only behind a proxy that overwrites the header itself
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"

STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=BASE_DIR / "var" / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}

# Languages
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("fr", "Français"), ("it", "Italiano")]
FORMAT_MODULE_PATH = ["casino.text.date_formats"]  # where a page names no format: the admin
LOCALE_PATHS = [BASE_DIR / "casino" / "locale"]
LANGUAGE_COOKIE_NAME = f"saalchef-lang-{INSTANCE}"
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# API
REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["casino.people.deny.DenyAll"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.devices.api.DeviceAuthentication",
        "casino.api.who.OfficeAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.api.schemas.read.StrictJson"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "casino.api.problem_response",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Saalchef",
    "DESCRIPTION": (
        "Live tables and their progressive jackpot. Amounts are whole minor units of the house's"
        " currency."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api",
    "POSTPROCESSING_HOOKS": ["casino.api.docs.sealed"],
}
# of any body; who stands in front says the same (deploy/Caddyfile)
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576
FILE_UPLOAD_HANDLERS: list[str] = []  # no form takes a file

# Logs
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOG_FORMAT = env.str("LOG_FORMAT", default="json")  # json, or plain for a person at a terminal
LOGGING_CONFIG = "casino.ops.logs.configure"
LOGGING = {"level": LOG_LEVEL, "format": LOG_FORMAT}
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
# casino/ops/logs.py takes it only if it is a sane token
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = (
    False  # it would believe X-Forwarded-For of anybody; casino/ops/logs.py notes the peer
)
# it would ask the database on every request; casino/people/middleware.py notes the person
DJANGO_STRUCTLOG_USER_ID_FIELD = ""

# HSTS subdomains and preload are the house's own decision
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
