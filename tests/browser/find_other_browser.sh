#!/usr/bin/env bash
# find_other_browser.sh firefox|webkit: prints the path of Debian's Firefox, or of the small browser of WebKitGTK whose
# driver is there too. Where it is missing, installs the packages if this is root on a machine with apt-get, and says so;
# otherwise says what to do.
set -euo pipefail

found() {
  case "$1" in
    firefox)
      for candidate in "${FIREFOX:-}" firefox-esr firefox; do
        [ -n "$candidate" ] || continue
        path=$(command -v "$candidate" 2>/dev/null) && { echo "$path"; return 0; }
      done
      ;;
    webkit)
      command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null || return 1
      for path in /usr/lib/*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser; do
        [ -x "$path" ] && { echo "$path"; return 0; }
      done
      ;;
  esac
  return 1
}

case "$1" in
  firefox) packages=(firefox-esr) ;;
  webkit) packages=(webkit2gtk-driver xvfb) ;;
  *) echo "Say firefox or webkit." >&2; exit 2 ;;
esac
found "$1" && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "No $1 found: installing ${packages[*]} by apt-get." >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq \
    --no-install-recommends "${packages[@]}" fonts-dejavu-core; } >&2
  found "$1" && exit 0
fi
echo "Sessions in $1 need the Debian packages ${packages[*]}: apt-get install ${packages[*]}" >&2
exit 1
