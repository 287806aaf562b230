# Turns sorted lines of "file <tab> line <tab> count" into a table: a row for each folder, with its
# lines, how many of them ran, and the three files of which the smallest share ran.
function percent(part, whole)
{
    return whole ? 100 * part / whole : 0
}
function end_line()
{
    if (file == "")
        return
    lines[file]++
    ran[file] += count > 0
}
# The file of the folder with the smallest share that is not told yet; "" when the rest ran whole.
function worst(folder, name, found)
{
    found = ""
    for (name in lines)
        if (folder_of(name) == folder && !told[name] && ran[name] < lines[name] &&
            (found == "" || share(name) < share(found) ||
             (share(name) == share(found) && name < found)))
            found = name
    told[found] = 1
    return found
}
function share(name)
{
    return ran[name] / lines[name]
}
function folder_of(name)
{
    sub(/\/[^\/]*$/, "", name)
    return name
}
$1 != file || $2 != line {
    end_line()
    file = $1
    line = $2
    count = 0
}
{ count += $3 }
END {
    end_line()
    for (name in lines) {
        folder_lines[folder_of(name)] += lines[name]
        folder_ran[folder_of(name)] += ran[name]
        all += lines[name]
        all_ran += ran[name]
    }
    if (!all) {
        print "coverage: nothing was counted: build with --coverage and run something" \
            >"/dev/stderr"
        exit 1
    }
    printf "%-34s %7s %7s  %s\n", "part", "lines", "ran", "least of it ran in"
    for (folder in folder_lines) {
        row = sprintf("%-34s %7d %5.1f %% ", folder, folder_lines[folder],
            percent(folder_ran[folder], folder_lines[folder]))
        for (i = 0; i < 3 && (name = worst(folder)) != ""; i++)
            row = row sprintf("%s %s %.0f %%", i ? "," : "",
                substr(name, length(folder) + 2), percent(ran[name], lines[name]))
        print row | "LC_ALL=C sort"
    }
    close("LC_ALL=C sort")
    printf "%-34s %7d %5.1f %%\n", "all", all, percent(all_ran, all)
}
