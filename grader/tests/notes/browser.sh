#!/usr/bin/env bash
# The pages in a real browser, without a window: browser.html says what is tried. The browser is
# Chromium; where there is none, that is said.
#
#     browser.sh build        after `make notes`
set -u
cd "$(dirname "$0")/../../.."
folder=$(realpath "${1:-build}")/notes
browser=
for name in chromium chromium-browser google-chrome; do
    browser=${browser:-$(command -v $name)}
done
if [ -z "$browser" ]; then
    echo '  --    notes in a browser: Chromium is not installed (Debian: chromium); not tested'
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$(cd "$folder" && echo *.html ko/*.html)
live=$([ -e "$folder/live/machine.js" ] && echo yes)
address="file://$PWD/grader/tests/notes/browser.html?folder=file://$folder&pages=${pages// /%20}"
cp "$folder/01_coalescing.html" "$work/alone.html"
address+="&live=$live&alone=file://$work/alone.html"
HOME=$work timeout 240 "$browser" --headless --no-sandbox --disable-gpu \
    --enable-logging=stderr --allow-file-access-from-files --user-data-dir="$work/profile" \
    --virtual-time-budget=600000 --dump-dom "$address" \
    >"$work/page" 2>"$work/log"
sed -n '/<pre id="said">/,/<\/pre>/p' "$work/page" |
    sed 's/<[^>]*>//g; s/&amp;/\&/g' >"$work/said"
if ! grep -qx end "$work/said"; then
    echo '  FAIL  notes in a browser: it did not come to an end. It says:'
    tail -3 "$work/log" | sed 's/^/        /'
    exit 1
fi
# A script that fails says so in the browser's log, whichever page it is on.
wrong=$(grep -E 'CONSOLE.*(Uncaught|Error)' "$work/log")
[ -z "$wrong" ] || echo "FAIL no script fails: $wrong" >>"$work/said"
# What live figures were answered, and what the machine as it is answers to the same calls; of exp,
# see grader/tests/live/alike.sh.
if [ -n "$live" ]; then
    sed -n 's/^call: //p' "$work/said" >"$work/calls"
    sed -n 's/^answer: //p' "$work/said" >"$work/answers"
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA_Usable,-FMA4,-FMA4_Usable \
        "${1:-build}/test/alike" replay "$folder/live" <"$work/calls" >"$work/native"
    if [ -s "$work/answers" ] && cmp -s "$work/answers" "$work/native"; then
        echo "ok live figures: $(wc -l <"$work/native") answers are the native machine's"
    else
        echo "FAIL live figures: answers differ from the native machine's: $(
            diff "$work/answers" "$work/native" | head -3 | tr '\n' ' ')"
    fi >>"$work/said"
fi
sed -n 's/^FAIL /  FAIL  /p' "$work/said"
ok=$(grep -c '^ok ' "$work/said") failed=$(grep -c '^FAIL ' "$work/said")
printf '  %-4s  notes in a browser: %d of %d\n' "$([ "$failed" = 0 ] && echo ok || echo FAIL)" \
    "$ok" $((ok + failed))
[ "$failed" = 0 ]
