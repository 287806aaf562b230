#!/usr/bin/env bash
# Lines of code are at most 100 characters long (.clang-format). Not checked are tables (*.def,
# *.test, *.txt), where a row is a line, prose, and exercises/, which belongs to the learner. It
# prints each longer line. And every field of a structure has to be read somewhere
# (unread_fields.awk). Exit status 1 when something was found.
set -u
cd "$(dirname "$0")/../.."
failed=0

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
    }' || failed=1

fields() {
    find "$@" -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.cu' \) -print0 | sort -z |
        xargs -0 awk -f grader/tests/unread_fields.awk
}
fields common grader lessons || failed=1

# It finds the one of these that is written and never read, and no other.
planted=$(mktemp -d)
trap 'rm -r "$planted"' EXIT
cat >"$planted/planted.c" <<'EOF'
struct inner { int in_place; };
struct outer { struct inner nested; int read, *pointed, counts[4], lost; void (*called)(int); };
static const struct outer BY_NAME = {.read = 1, .lost = 2};
int work(struct outer *it)
{
    it->lost = it->read; /* it->lost */
    it->counts[it->read] = 3;
    it->called(it->nested.in_place + it->counts[0] + BY_NAME.read);
    return *it->pointed;
}
EOF
said=$(fields "$planted")
if [ "$said" != "  FAIL  style: $planted/planted.c:2: nothing reads the field lost" ]; then
    printf '  FAIL  style: of planted fields it says: %s\n' "$said"
    failed=1
fi
exit $failed
