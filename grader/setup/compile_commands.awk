# compile_commands.awk - what make would run to compile each C file, as the JSON that clangd reads
# (JSON Compilation Database). Input: make --dry-run --always-make V=1; -v folder=the tree's root.

function quoted(text)
{
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/[\t ]+/, " ", text)
    return "\"" text "\""
}

BEGIN { print "[" }

# A command of several lines is one.
/\\$/ {
    begun = begun substr($0, 1, length($0) - 1)
    next
}

{
    $0 = begun $0
    begun = ""
}

/ -c [^ ]+\.c -o / {
    source = $0
    sub(/.* -c /, "", source)
    sub(/ -o .*/, "", source)
    if (!(source in seen))
        printf "%s{\"directory\": %s, \"file\": %s, \"command\": %s}", (count++ ? ",\n" : ""),
            quoted(folder), quoted(source), quoted($0)
    seen[source] = 1
}

END {
    print "\n]"
    exit !count
}
