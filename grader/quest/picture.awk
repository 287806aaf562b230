# picture.awk - draws the report in the README, which is a real one (grader/tests/bad_input.sh
# holds it to what a check prints), as a terminal shows it: an SVG without fonts or styles of its
# own. Each run of one colour is told its width, so that columns stay columns in any font.
#
#     awk -f picture.awk README.md >report.svg

BEGIN {
    CELL = 7.8; LINE = 18; MARGIN = 18; COLUMNS = 100
    PLAIN = "#d4d4d4"; GOOD = "#7ec699"; BAD = "#f08a8a"; DIM = "#8a8f98"; BOLD = "#ffffff"
    CODE = "#e6c07b"
}

function escaped(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

# The text from column `from` on, `count` characters of it. What two blanks part is placed by
# itself, since blanks in a row are one in an SVG.
function put(from, count, colour, bold, text, length_now)
{
    text = substr(line, from, count)
    while (match(text, /[^ ]( ?[^ ])*/)) {
        length_now = RLENGTH
        body = body sprintf("<text x=\"%.1f\" y=\"%d\" fill=\"%s\"%s textLength=\"%.1f\">" \
            "%s</text>\n",
            MARGIN + (from + RSTART - 2) * CELL, MARGIN + (lines + 1) * LINE - 5, colour,
            bold ? " font-weight=\"bold\"" : "", length_now * CELL,
            escaped(substr(text, RSTART, length_now)))
        from += RSTART + length_now - 1
        text = substr(text, RSTART + length_now)
    }
}

function draw(state, end)
{
    state = substr(line, 15, 4)
    if (line ~ /^\$ /) {
        put(1, 2, DIM, 0)
        put(3, COLUMNS, BOLD, 1)
    } else if (match(line, /\[[A-Z ]+\]/)) {
        end = RSTART + RLENGTH
        put(1, end - 1, BAD, 1)
        put(end, COLUMNS, PLAIN, 0)
    } else if (line ~ /^lesson/)
        put(1, COLUMNS, BOLD, 1)
    else if (line ~ /^  line/) {
        put(1, 14, BOLD, 1)
        put(15, COLUMNS, CODE, 0)
    } else if (state ~ /^(ok|no|NO|next)/) {
        put(1, 14, PLAIN, 0)
        put(15, 5, state ~ /^ok/ ? GOOD : state ~ /^next/ ? DIM : BAD, 1)
        put(20, COLUMNS, PLAIN, 0)
    } else
        put(1, COLUMNS, PLAIN, 0)
    lines++
}

/^\$ make check-lesson1/ { inside = 1 }
inside && /^```/ { inside = 0 }
inside {
    line = $0
    draw()
}

END {
    if (!lines) {
        print "picture.awk: " FILENAME " has no report of make check-lesson1" >"/dev/stderr"
        exit 1
    }
    width = 2 * MARGIN + COLUMNS * CELL
    height = 2 * MARGIN + lines * LINE
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\"", width,
        height
    printf " font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
    print " font-size=\"13\">"
    print "<title>What make check-lesson1 says of the exercise as it is handed out</title>"
    printf "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#1e2127\"/>\n%s</svg>\n", width,
        height, body
}
