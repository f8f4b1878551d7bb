#!/bin/sh
# Stands in for Python where a test must not install JupyterLab: makes the files that a venv and pip would make.
# FAKE_PIP: "ok" installs, anything else is printed as pip's failure. FAKE_VENV=no lacks the venv module.
self="$0"
case "$1 $2" in
  "-m venv")
    mkdir -p "$3/bin" && cp "$self" "$3/bin/python" && touch "$3/pyvenv.cfg" ;;
  "-m pip")
    here="$(dirname "$self")/.."
    [ "$3" = "--version" ] && { [ ! -e "$here/no-pip" ]; exit $?; }
    echo "$@" >> "$here/pip-arguments"
    [ "$FAKE_PIP" = "ok" ] || { echo "$FAKE_PIP" >&2; exit 1; }
    echo "Collecting jupyterlab"
    touch "$here/jupyterlab" ;;
  "-c "*)
    case "$2" in
      *turnwise-python*) echo "turnwise-python ${FAKE_VERSION:-3.11.0} ${FAKE_VENV:-yes}" ;;
      *turnwise-has*) [ -e "$(dirname "$self")/../jupyterlab" ] && echo "turnwise-has" ;;
      *turnwise-lab*) [ -e "$(dirname "$self")/../jupyterlab" ] && echo "turnwise-lab 4.6.4" ;;
    esac ;;
esac
