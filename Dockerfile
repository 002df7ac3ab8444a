# The browser code and the documents are built first; the final image holds Python, the built files and nothing that builds.
FROM node:20-bookworm-slim AS frontend
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
# Colours and type, which pages of participants share with those of researchers.
COPY experiments/static/studies/identity.css /build/experiments/static/studies/
RUN npm run build

FROM python:3.11-slim-bookworm AS documents
WORKDIR /build
COPY docs/requirements.lock docs/
RUN pip install --no-cache-dir --require-hashes -r docs/requirements.lock
COPY ./ ./
RUN NO_MKDOCS_2_WARNING=1 mkdocs build --quiet --strict

FROM python:3.11-slim-trixie
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 VAR_DIR=/var/lib/lectern HOST=0.0.0.0
# `manage.py backup` calls pg_dump, which must not be older than the server of docker-compose.yml: this Debian has 17.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --system --create-home --home-dir /var/lib/lectern lectern
WORKDIR /srv/lectern
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY manage.py pyproject.toml ./
COPY config/ config/
COPY experiments/ experiments/
COPY participants/ participants/
COPY analysis/ analysis/
COPY --from=frontend /build/frontend/dist frontend/dist
COPY --from=documents /build/site site
# Static files belong to the image, so that every web container serves the same bytes.
ENV STATIC_ROOT=/srv/lectern/static
RUN pybabel --quiet compile --use-fuzzy --domain django --directory config/locale \
    && SECRET_KEY=only-for-the-build CODES_KEY=only-for-the-build VAR_DIR=/tmp/build \
       python manage.py collectstatic --no-input --verbosity 0 \
    && rm -r /tmp/build
USER lectern
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=4 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
