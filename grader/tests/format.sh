#!/usr/bin/env bash
# format.sh check    names the .c and .h files that clang-format would change; exit status 1 then
# format.sh write    changes them
#
# Versions of clang-format differ, so it is always version 14: Debian 12 and Ubuntu 24.04 have it.
# Where it is not installed, check says so and leaves it out, and write fails.
set -u
cd "$(dirname "$0")/../.."

formatter()
{
    local name
    for name in clang-format-14 clang-format; do
        if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

# All but the template of a lesson, whose names are still to be filled in.
files()
{
    find common grader lessons solutions -path grader/quest/new_lesson -prune -o \
        -type f -name '*.[ch]' -print0 | sort -z
}

check()
{
    local name said differing file
    if ! name=$(formatter); then
        echo '  --    style: formatting is left out, since clang-format 14 is not installed'
        return 0
    fi
    if ! said=$(files | xargs -0 "$name" --dry-run 2>&1); then
        printf '  FAIL  style: clang-format does not run: %s\n' "$said"
        return 1
    fi
    differing=$(sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' <<<"$said" | sort -u)
    if [ -z "$differing" ]; then
        echo '  ok    style: .c and .h files are as clang-format has them'
        return 0
    fi
    while IFS= read -r file; do
        echo "  FAIL  style: clang-format would change $file: make format"
    done <<<"$differing"
    return 1
}

write()
{
    local name
    if ! name=$(formatter); then
        echo 'clang-format 14 is not installed (Debian: apt-get install clang-format-14)' >&2
        return 1
    fi
    files | xargs -0 "$name" -i
}

case "$*" in
check | write) "$1" ;;
*)
    echo 'usage: format.sh check|write' >&2
    exit 2
    ;;
esac
