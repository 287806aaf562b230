#!/usr/bin/env bash
# Lines of code are at most 100 characters long (.clang-format). Left out are tables (*.def, *.test,
# *.txt), where a row is a line, prose, and exercises/, which is the learner's. A line for each that
# is longer; exit status 1 when there is one.
set -u
cd "$(dirname "$0")/../.."

# In UTF-8, each byte but the first of a character is 0x80 to 0xBF.
find Makefile common grader lessons solutions -type f \( -name Makefile -o -name '*.[ch]' -o \
    -name '*.cu' -o -name '*.sh' -o -name '*.mk' -o -name '*.lua' -o -name '*.awk' -o \
    -name '*.py' \) -print0 | sort -z | LC_ALL=C xargs -0 awk '
    { gsub(/[\200-\277]/, "") }
    length($0) > 100 {
        printf "  FAIL  %s:%d has %d characters\n", FILENAME, FNR, length($0)
        long++
    }
    END {
        if (!long)
            print "  ok    style: no line of code is longer than 100 characters"
        exit long > 0
    }'
