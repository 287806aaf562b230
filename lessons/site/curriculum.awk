# curriculum.awk - what the notes teach of what they have to, and which of their numbers are not
# measured yet. Exit status 1 when an item of a lesson that there is has no place.
#
#     awk -f curriculum.awk curriculum.csv build/notes/data/01_coalescing.facts ...
#
# Facts are written by filter/page.lua: a line each, "item <name>" or "missing <key> <where it
# stands>", with tabs between.

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    number = name + 0 # of the lesson: "04_epilogue.facts" is 4
    if (name !~ /\.csv$/ && number > last_lesson)
        last_lesson = number
}

# The list comes first. Only its last column may have commas in it.
name ~ /\.csv$/ {
    if ($0 !~ /^[A-Z][0-9]/)
        next
    split($0, field, ",")
    item[++items] = field[1]
    may_be_in[field[1]] = " " field[2] " "
    about[field[1]] = substr($0, length(field[1] field[2]) + 3)
    gsub(/"/, "", about[field[1]])
    next
}

{ split($0, fact, "\t") }
fact[1] == "item" && index(may_be_in[fact[2]], " " number " ") { has_place[fact[2]] = 1 }
fact[1] == "missing" {
    unmeasured[++missing] = sprintf("lesson %d  %-28s %s", number, fact[2], fact[3])
}

# Is one of the lessons that may have the item there?
function is_due(name,    lessons, count, i) {
    count = split(may_be_in[name], lessons, " ")
    for (i = 1; i <= count; i++)
        if (lessons[i] ~ /^[0-9]+$/ && lessons[i] + 0 <= last_lesson)
            return 1
    return 0
}

END {
    for (i = 1; i <= items; i++) {
        placed += item[i] in has_place
        due += is_due(item[i])
        course += may_be_in[item[i]] ~ /course/
    }
    printf "  %d of %d items have a place in the notes; %d are for lessons to come, %d for the " \
           "course around them\n", placed, items, items - due - course, course
    for (i = 1; i <= items; i++)
        if (is_due(item[i]) && !(item[i] in has_place))
            printf "    %s  lesson%s %s\n", item[i], may_be_in[item[i]], about[item[i]]
    printf "  %d numbers are not measured yet\n", missing
    for (i = 1; i <= missing; i++)
        print "    " unmeasured[i]
    exit placed < due
}
