#!/usr/bin/env bash
# A table of the lines that ran, from what programs built with --coverage left behind in a folder:
#
#     coverage.sh build/coverage
#
# An object whose code never ran has notes (.gcno) and no counts (.gcda): its lines count, too. A
# line of a header, or of a file that is compiled twice, has run when it ran in one of the objects.
# Tests, and files that the build has made, are left out.
set -u
folder=$1
table=$(dirname "$0")/table.awk

find "$folder" -name '*.gcno' -print0 | sort -z | xargs -0 -r -n 50 gcov --json-format --stdout \
    2>/dev/null | jq -r --arg folder "$folder/" '.current_working_directory as $here | .files[] |
    (.file | ltrimstr($here + "/")) as $file |
    select($file | (startswith("/") or startswith("<") or startswith($folder) or
        test("(^|/)tests/")) | not) |
    .lines[] | [$file, .line_number, .count] | @tsv' | LC_ALL=C sort | awk -F '\t' -f "$table"
