#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome; with --shell that of Chromium without its window, or of the other where there
# is none. Where there is none at all, installs Debian's packages if this is root on a machine with apt-get, and says so;
# otherwise says what to do.
set -euo pipefail

found() {
  for candidate in "$@"; do
    [ -n "$candidate" ] || continue
    path=$(command -v "$candidate" 2>/dev/null) && { echo "$path"; return 0; }
  done
  return 1
}

find_chromium() {
  found "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
}

find_shell() { found "${HEADLESS_SHELL:-}" chromium-headless-shell; }

install_packages() { # install PACKAGE...: together, as Debian's packages of Chromium have to be of one version
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "Installing by apt-get: $*." >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >&2
}

if [ "${1:-}" = --shell ]; then
  # A Chromium that is not Debian's is not joined by Debian's shell.
  find_shell || { dpkg -s chromium >/dev/null 2>&1 && install_packages chromium chromium-headless-shell && find_shell; } || find_chromium
  exit
fi
find_chromium || { install_packages chromium fonts-dejavu-core && find_chromium; } || {
  echo "The browser tests need Chromium or Chrome. Install one, or set CHROMIUM to its path." >&2
  exit 1
}
