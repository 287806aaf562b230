/* student_page_lines.c - the lines of source that a verdict names, among those around them. */
#include "class/student_page.h"

#include "check/record.h"

#include <string.h>

enum { AROUND = 2, MOST_LINE = 300 };

/* The start of a line of the source; NULL when it has not that many. */
static const char *line_at(const char *source, int number)
{
    for (; number > 1 && source; number--) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    return source && *source ? source : NULL;
}

static void put_line(FILE *out, const char *text, int number, bool named)
{
    char line[MOST_LINE + 1];
    size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(length < MOST_LINE ? length : MOST_LINE), text);
    fprintf(out, "<span class=\"number\">%s%5d  </span>%s", named ? "▶" : " ", number,
            named ? "<mark>" : "");
    page_put(out, line);
    fprintf(out, "%s%s\n", length > MOST_LINE ? " …" : "", named ? "</mark>" : "");
}

/* Is the line of the record the one that the source has there? */
static bool agrees(const char *line, const char *text)
{
    size_t length = line ? strcspn(line, "\n") : 0, wanted = strlen(text);
    return line && *text && memmem(line, length, text, wanted) != NULL;
}

static void put_named(FILE *out, const char *source, const json_t *line)
{
    int number = record_integer(line, "number");
    const char *text = record_text(line, "text");
    if (number <= 0)
        return;
    fprintf(out, "<p>Line %d:</p>\n<pre>", number);
    bool known = agrees(line_at(source, number), text);
    for (int i = number - AROUND; known && i <= number + AROUND; i++) {
        const char *at = i > 0 ? line_at(source, i) : NULL;
        if (at)
            put_line(out, at, i, i == number);
    }
    if (!known)
        put_line(out, text, number, true);
    fputs("</pre>\n", out);
}

static void put_says(FILE *out, const char *text)
{
    if (!*text)
        return;
    fputs("<li>", out);
    page_put_sentence(out, text);
    fputs("</li>\n", out);
}

void student_put_lines(FILE *out, const struct mark *mark, const json_t *record)
{
    const json_t *line = json_object_get(record, "line");
    if (record_integer(line, "number") <= 0)
        return;
    fputs("<h3>The line to look at</h3>\n", out);
    put_named(out, mark->source, line);
    put_named(out, mark->source, json_object_get(line, "other"));
    const char *const says[] = {record_text(line, "says"), record_text(line, "time"),
                                record_text(line, "gain")};
    if (!*says[0] && !*says[1] && !*says[2])
        return;
    fputs("<ul>\n", out);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        put_says(out, says[i]);
    fputs("</ul>\n", out);
}
