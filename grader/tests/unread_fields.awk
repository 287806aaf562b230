# unread_fields.awk - fields of structures that no code reads: unread_fields.awk FILES...
#
# A field is read where its name occurs outside a declaration and is not written by ".name =" or
# "->name =". A field with the name of another that is read counts as read, so not all are found,
# but every one that is found is right. Fields of layouts that others prescribe have "unread" in a
# comment on their line. Prints a line for each field; exit status 1 when there is one.

# Text without comments, strings and preprocessor lines that include; keeps "unread" marks.
function plain(line,    out) {
    if (line ~ /^[ \t]*#[ \t]*(include|error)/)
        return ""
    marked = line ~ /unread/
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, " 0 ", line)
    gsub(/'[^']*'/, " 0 ", line)
    while (line != "") {
        if (in_comment) {
            if (!(match(line, /\*\//)))
                return out
            line = substr(line, RSTART + 2)
            in_comment = 0
        } else if (match(line, /\/\*|\/\//)) {
            out = out substr(line, 1, RSTART - 1) " "
            if (substr(line, RSTART, 2) == "//")
                return out
            line = substr(line, RSTART + 2)
            in_comment = 1
        } else {
            return out line
        }
    }
    return out
}

function take(token) {
    if (is_struct[depth] && token == ";") {
        declare()
    } else if (token == "{") {
        depth++
        is_struct[depth] = statement ~ /(^| )(struct|union)( [A-Za-z_0-9]+)?$/
        starts[depth] = statement
    } else if (token == "}") {
        depth -= depth > 0
        statement = is_struct[depth] ? "nested" : ""
        return
    } else {
        statement = statement " " token
        return
    }
    statement = ""
}

# "unsigned a , * b [ 3 ]": the last name of each part, before brackets and bits.
function declare(    count, parts, i, name) {
    gsub(/\[[^]]*\]/, "", statement)
    if (match(statement, /\( \* *[A-Za-z_]/)) {
        sub(/^.*\( \* */, "", statement)
        sub(/[^A-Za-z_0-9].*$/, "", statement)
    }
    sub(/:.*$/, "", statement)
    count = split(statement, parts, ",")
    for (i = 1; i <= count; i++) {
        name = parts[i]
        sub(/ *$/, "", name)
        if (!match(name, /[A-Za-z_][A-Za-z_0-9]*$/) || (i == 1 && name !~ /[^ ] /))
            continue
        name = substr(name, RSTART)
        declared[name]++
        if (FILENAME ~ /\.[ch]$/ && !(name in place))
            place[name] = FILENAME ":" FNR
        exempt[name] += marked
    }
}

# tokens[1..count] of a line: each name is a use, unless it is written.
function note_uses(    i, j, deep) {
    for (i = 1; i <= count; i++) {
        if (tokens[i] !~ /^[A-Za-z_]/)
            continue
        used[tokens[i]]++
        if (i == 1 || (tokens[i - 1] != "." && tokens[i - 1] != "->"))
            continue
        for (j = i + 1; tokens[j] == "["; j++)
            for (deep = 1; deep && j < count;) {
                j++
                deep += (tokens[j] == "[") - (tokens[j] == "]")
            }
        if (tokens[j] == "=")
            used[tokens[i]]--
    }
}

FNR == 1 {
    depth = 0
    statement = ""
    in_comment = 0
    delete is_struct
}
{
    text = plain($0)
    count = 0
    while (match(text, /[A-Za-z_][A-Za-z_0-9]*|[0-9][A-Za-z_0-9.]*|->|[=!<>+*\/%&|^-]=|[^ \t]/)) {
        tokens[++count] = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    tokens[count + 1] = ""
    note_uses()
    if (tokens[1] == "#")
        next
    for (i = 1; i <= count; i++)
        take(tokens[i])
}
END {
    for (name in place)
        if (!exempt[name] && name !~ /^(pad|reserved)/ && used[name] <= declared[name]) {
            print "  FAIL  style: " place[name] ": nothing reads the field " name
            unread++
        }
    if (!unread)
        print "  ok    style: every field of a structure is read"
    exit unread > 0
}
