#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome. Where there is none, installs Debian's package if this is root on a
# machine with apt-get, and says so; otherwise says what to do.
set -euo pipefail

found() {
  for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    [ -n "$candidate" ] || continue
    path=$(command -v "$candidate" 2>/dev/null) && { echo "$path"; return 0; }
  done
  return 1
}

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "No Chromium found: installing the package 'chromium' by apt-get." >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >&2
  found && exit 0
fi
echo "The browser tests need Chromium or Chrome. Install one, or set CHROMIUM to its path." >&2
exit 1
