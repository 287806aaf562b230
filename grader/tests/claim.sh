# claim.sh - for scripts that test programs: source it, make claims, end with `exit $failed`.
#
#     claim <what> <command that has to hold...>
#
# Prints a line for each claim; where one does not hold, also what its command printed, and what the
# program under test had printed into $work/output or $work/screen. $work is a folder that is
# removed when the script ends.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

claim() {
    local what=$1
    shift
    if "$@" >"$work/claim.log" 2>&1; then
        printf '  ok    %s\n' "$what"
    else
        printf '  FAIL  %s\n' "$what"
        (cd "$work" && tail -n 20 claim.log output screen 2>/dev/null) | sed 's/^/        /'
        failed=1
    fi
}
