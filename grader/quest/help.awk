# help.awk - `make help`: every target that has a ## comment, a line each, under the heading of the
# ##@ comment before it. Targets without one come last; the files are read in the order given.

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
    lines[heading] = lines[heading] sprintf("  make %-17s %s\n", target, text)
}

END {
    for (i = 1; i <= headings; i++)
        printf "%s%s\n%s", (i > 1 ? "\n" : ""), order[i], lines[order[i]]
}
