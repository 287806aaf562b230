# flatten.awk - puts what attacks share in place of its #include, since a submission is one file.
#
#     awk -v course=. -v build=build -f flatten.awk attack.cu
#
# It replaces "redteam/..." (parts/ in this folder), the course's own "solutions/...",
# "exercises/..." and "judges/...", and the grader's headers "runner/...", "simgpu/..." and
# "check/...": an attacker has read the source. Each is put in once. An entry of the corpus that is
# stored as a patch is read where `make entry` keeps it whole. With a comment
#
#     #include "solutions/..." // OLD => NEW
#
# its first OLD becomes NEW. Of simgpu.h, which is C but not C++, only the structure that the
# protocol contains is kept.
function include(path, change, line, name) {
    if (seen[path]++)
        return
    while ((getline line <path) > 0) {
        if (line == "#include \"simgpu.h\"")
            sampling(grader "simgpu/simgpu.h")
        else if (match(line, INCLUDE)) {
            name = substr(line, 11, RLENGTH - 11)
            include(place(name), after(line, "// "))
        } else
            print change == "" ? line : changed(line, change)
    }
    close(path)
    if (change != "" && !done[change]) {
        print "flatten.awk: " path " has no \"" change "\"" >"/dev/stderr"
        exit 1
    }
}
function place(name, entry) {
    if (name ~ /^(solutions|exercises)\//)
        return course "/" name
    if (sub(/^judges\//, "", name)) {
        entry = name
        sub(/cu$/, "patch", entry)
        if (!is_there(grader "judges/" entry))
            return grader "judges/" name
        system(build "/bin/warpquest entry " name " >/dev/null")
        return build "/corpus/" name
    }
    return grader (sub(/^redteam\//, "", name) ? "tests/redteam/parts/" : "") name
}
function is_there(path, line, read) {
    read = (getline line <path)
    close(path)
    return read > 0
}
function after(text, words, at) {
    at = index(text, words)
    return at ? substr(text, at + length(words)) : ""
}
function changed(line, change, at, old) {
    old = substr(change, 1, index(change, " => ") - 1)
    at = done[change] ? 0 : index(line, old)
    if (!at)
        return line
    done[change] = 1
    return substr(line, 1, at - 1) after(change, " => ") substr(line, at + length(old))
}
function sampling(path, line, inside) {
    while ((getline line <path) > 0) {
        inside = inside || line == "struct simgpu_sampling {"
        if (inside || line ~ /^enum { SIMGPU_SAMPLE_PLACES/)
            print line
        if (line == "};")
            inside = 0
    }
    close(path)
}
BEGIN {
    grader = course "/grader/"
    INCLUDE = "^#include \"(redteam|solutions|exercises|judges|runner|simgpu|check)/[^\"]*\""
    for (i = 1; i < ARGC; i++)
        include(ARGV[i])
}
