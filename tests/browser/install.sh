#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh DIRECTORY: puts the modules of package.json there, unless they are there already.
# Prints why not if that fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cmp -s "$here/package.json" "$1/package.json" && [ -f "$1/done" ] && exit 0
rm -f "$1/done"
cp "$here/package.json" "$1/"
cd "$1"
npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >npm.log 2>&1 || {
    tail -n 5 npm.log
    exit 1
}
touch done
