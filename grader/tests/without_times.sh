# without_times.sh - what of a record (JSON, one member a line) does not depend on the clock. Source
# it.

# without_times [MEMBER]: from standard input to standard output; MEMBER is left out as well.
without_times() {
    local parts='compiling.*|(small|large|timed) cases|recognising'
    grep -vE "\"(started|seconds|$parts${1:+|$1})\":"
}
