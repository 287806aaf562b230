#!/usr/bin/env bash
# Pages of the tree name files that exist, and where one says "`name` in [file](path)", the file
# defines that name; lessons' own pages are for test-notes. A line for each that does not; exit
# status 1 when there is one.
set -u
cd "$(dirname "$0")/../.."
broken=0 links=0 names=0
PAGES=$(find . -name '*.md' -not -path './build/*' -not -path './.*' -not -name notes.md \
    -not -name "*.ko.md" \
    -not -path './grader/tests/notes/*' -not -path '*/course/*')

say() {
    echo "  FAIL  $*"
    broken=$((broken + 1))
}

while IFS=: read -r page line link; do
    target=${link#*](} target=${target%)} target=${target%%#*}
    case $target in *:* | '') continue ;; esac
    links=$((links + 1))
    path=$(dirname "$page")/$target
    [ -e "$path" ] || say "$page:$line: there is no file $target"
done < <(grep -noE '\]\([^) ]+\)' $PAGES)

while IFS=: read -r page line words; do
    name=${words#\`} name=${name%%\`*} path=${words#*](} path=$(dirname "$page")/${path%)}
    names=$((names + 1))
    grep -qE "^[a-z].*\\b$name\\(" "$path" || say "$page:$line: $path defines no function $name"
done < <(grep -noE '`[a-z_]+` in \[[^]]+\]\([^) ]+\)' $PAGES)

[ "$broken" -eq 0 ] && echo "  ok    links: $links files and $names functions are where pages say"
exit $((broken > 0))
