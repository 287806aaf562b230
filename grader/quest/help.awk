# help.awk - `make help`: every target that has a ## comment, a line each, under the heading of the
# ##@ comment before it. Targets without one come last; the files are read in the order given.

BEGIN { WIDTH = 100; INDENT = 26 }

FNR == 1 { heading = "Build, test, measure" }

/^##@ / { heading = substr($0, 5) }

/^[a-z][a-z0-9%-]*:.*## / {
    target = $0
    sub(/:.*/, "", target)
    sub(/%/, "N", target)
    text = $0
    sub(/.*## /, "", text)
    if (!(heading in lines))
        order[++headings] = heading
    line = sprintf("  make %-18s %s", target, text)
    while (length(line) > WIDTH && match(substr(line, INDENT + 1, WIDTH - INDENT), /.* /)) {
        lines[heading] = lines[heading] substr(line, 1, INDENT + RLENGTH - 1) "\n"
        line = sprintf("%*s%s", INDENT, "", substr(line, INDENT + RLENGTH + 1))
    }
    lines[heading] = lines[heading] line "\n"
}

END {
    for (i = 1; i <= headings; i++)
        printf "%s%s\n%s", (i > 1 ? "\n" : ""), order[i], lines[order[i]]
}
