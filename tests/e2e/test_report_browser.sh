# SPDX-License-Identifier: Apache-2.0
# The HTML report in Chromium (tests/browser/report.mjs), on a project with open goals, alarms and
# decisions.
. "$(dirname "$0")/lib.sh"

"$root/build/report-store" generated 12 || not_ok "a store"
"$cadenza" report generated >/dev/null || not_ok "its report"
if ! sh "$root/tests/browser/install.sh" "$root/build/browser" >npm.log 2>&1; then
    not_ok "modules from npm" "$(cat npm.log)"
else
    MODULES=$root/build/browser node "$root/tests/browser/report.mjs" "$work/generated/report" >log 2>&1
    equals "the browser's tests end" 0 $?
    cat log
fi
finish
