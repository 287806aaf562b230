#!/usr/bin/env bash
# Which folder may include which: the arrows that the READMEs state, checked against the #include
# lines of all C and CUDA files except the tests'. One line for each arrow that is not allowed; exit
# status 1 when there is one.
set -u
cd "$(dirname "$0")/../.."

# Files that match FROM include, of those that match OF, only those that match ONLY.
rules()
{
    cat <<'RULES'
# FROM                        OF                     ONLY
^common/                      .                      ^common/
^(exercises|solutions)/       .                      ^(OWN|common)/
^grader/judges/               .                      ^(OWN|common|grader/check)/
^grader/judges/               ^grader/check/         /(judge(_graph|_philox|_seen)?|verdict)[.]h$
^grader/lib/                  .                      ^grader/lib/
^grader/simgpu/               .                      ^grader/(simgpu|lib)/
^grader/(check|runner|quest)/ ^grader/class/         -
^grader/class/                .                      ^grader/(class|check|lib|runner)/
^grader/(check|runner|quest)/ ^grader/simgpu/        /(simgpu|line|machine|drawn_pattern)[.]h$
^grader/simgpu/machine/       .                      ^grader/simgpu/machine/
^grader/simgpu/machine/ptx/   .                      /ptx/
/machine/(program|ptx)/       /machine/observe/      -
/machine/exec/                /machine/observe/      /observe/tell[.]h$
/machine/run/                 /machine/observe/      /observe/(tell|observers?|undefined)[.]h$
.                             /machine/timing/       OWN
RULES
}

# A name in quotes is looked for beside the file, then in the folders that build.mk files name.
find common exercises solutions lessons grader -path grader/tests -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) -print | LC_ALL=C sort |
    awk -v rules="$(rules)" '
    function tidy(path) {
        while (sub(/[^\/]+\/\.\.\//, "", path))
            continue
        return path
    }
    function found(name, folder, i) {
        if (tidy(folder "/" name) in is_file)
            return tidy(folder "/" name)
        for (i = 1; i <= folders; i++)
            if (folder_at[i] "/" name in is_file)
                return folder_at[i] "/" name
        return ""
    }
    # The folder that a file and what it may use of its own are in: that of its lesson, of its room.
    function own(file, parts, count) {
        count = split(file, parts, "/")
        return parts[1] "/" parts[2] (parts[1] != "grader" ? "" : "/" parts[3] \
            (parts[3] == "machine" ? "/" parts[4] : ""))
    }
    function hold(from, to, i, only) {
        for (i = 1; i <= count; i++) {
            only = only_of[i]
            gsub(/OWN/, own(from), only)
            if (from !~ from_of[i] || to !~ of[i] || to ~ only)
                continue
            failed++
            print "  FAIL  layers: " from " includes " to
            return
        }
    }
    BEGIN {
        machine = "grader/simgpu/machine"
        folders = split("common grader grader/simgpu " machine, folder_at, " ")
        rooms = split("program exec run observe timing ptx", room, " ")
        for (i = 1; i <= rooms; i++)
            folder_at[++folders] = machine "/" room[i]
        lines = split(rules, line, "\n")
        for (i = 1; i <= lines; i++)
            if (line[i] !~ /^#/ && split(line[i], part, " ") == 3) {
                from_of[++count] = part[1]
                of[count] = part[2]
                only_of[count] = part[3] == "-" ? "^$" : part[3]
            }
    }
    { is_file[$0] = 1; file[++files] = $0 }
    END {
        for (i = 1; i <= files; i++) {
            folder = file[i]
            sub(/\/[^\/]*$/, "", folder)
            while ((getline text < file[i]) > 0)
                if (text ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
                    split(text, part, "\"")
                    if ((to = found(part[2], folder)) != "") {
                        hold(file[i], to)
                        arrows++
                    }
                }
            close(file[i])
        }
        if (!failed)
            print "  ok    layers: " arrows " includes, each as the READMEs allow"
        exit failed > 0
    }'
