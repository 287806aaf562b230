# shellcheck shell=bash
# say.sh - what set-up says to the reader: sentences on standard output, trouble on standard error.
#
# A command to be typed stands on a line of its own and is never folded, so that it can be copied.
# Read next: things.sh.

say()
{
    printf 'set-up: %s\n' "$*"
}

say_more()
{
    printf '        %s\n' "$*"
}

# say_trouble SENTENCE [LINE...]: what is wrong, then what to do or to type, a line each.
say_trouble()
{
    printf 'set-up: %s\n' "$1" >&2
    shift
    local line
    for line in "$@"; do
        printf '        %s\n' "$line" >&2
    done
}

# say_joined WORD...: "a, b, c" on standard output.
say_joined()
{
    local joined
    joined=$(printf ', %s' "$@")
    printf '%s' "${joined:2}"
}
