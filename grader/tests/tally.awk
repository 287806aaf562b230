# tally.awk - what the parts of `make test` printed, as a count: "N passed, M failed".
#
# A claim is a line that starts with "ok", or with FAIL or NO; the line may go on to say how many
# claims it stands for: "Checks: 40" (the Check library's words) or "40 of 40". -v failed=1 says
# that the last part failed, which counts even if none of its lines says so.

function claims()
{
    if (match($0, /Checks: [0-9]+/))
        return substr($0, RSTART + 8, RLENGTH - 8)
    if (match($0, /[0-9]+ of [0-9]+/)) {
        split(substr($0, RSTART, RLENGTH), number, " of ")
        if (number[1] == number[2])
            return number[1]
    }
    return 1
}

/^ +ok / { passed += claims() }
/^ +(FAIL|NO) / { wrong++ }

END {
    if (failed && !wrong)
        wrong = 1
    printf "%d passed, %d failed\n", passed, wrong
}
