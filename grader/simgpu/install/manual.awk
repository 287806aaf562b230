# Writes the manual page: in simgpu.1.in (the second file), @OPTIONS@, @STATUS@ and @ENVIRONMENT@
# stand for the three parts of `simgpu run --help` (the first file), and @VERSION@ for the version.
#
# The help is columns: an option and, after two blanks or else from column 18, what it does.
function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}
function add(text)
{
    part[now] = part[now] text "\n"
}
# An option or a status: its name, then its text.
function entry(name, text)
{
    sub(/ +$/, "", name)
    add(".TP\n.B " roff(name) "\n" roff(text))
}
FNR == NR && /^usage|^       simgpu/ { next }
FNR == NR && /^  --/ {
    now = "OPTIONS"
    if (match($0, /[^ ]  +[^ ]/))
        entry(substr($0, 3, RSTART - 2), substr($0, RSTART + RLENGTH - 1))
    else
        entry(substr($0, 3, 15), substr($0, 18))
    next
}
FNR == NR && /^  (else|[0-9]+) / {
    entry($1, substr($0, 8))
    in_list = 1
    next
}
FNR == NR && /^It ends/ { now = "STATUS" }
FNR == NR && /^SIMGPU_DEVICE/ { now = "ENVIRONMENT" }
FNR == NR && NF {
    if (in_list && /^[^ ]/) {
        add(".PP")
        in_list = 0
    }
    sub(/^ +/, "")
    add(roff($0))
}
FNR == NR { next }
/^@[A-Z]+@$/ {
    gsub(/@/, "")
    if (!($0 in part)) {
        print "manual.awk: the help has no part " $0 >"/dev/stderr"
        exit 1
    }
    printf "%s", part[$0]
    next
}
{
    gsub(/@VERSION@/, version)
    print
}
