/* class_page_mistakes.c - the mistakes of a lesson that the grader recognised, the commonest first.
 */
#include "class/class_page.h"

#include "check/record.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MISTAKES = 12, FIRST_NAMES = 12 }; /* more names when they are opened */

struct mistake {
    const char *name, *hint;
    size_t count;
};

/* "" where none was recognised. */
static const char *mistake_of(const struct mark *mark, const char *lesson, const char *member)
{
    if (strcmp(mark->lesson, lesson) != 0)
        return "";
    return record_text(json_object_get(mark->record, "mistake"), member);
}

static size_t collect(const struct marks *marks, const char *lesson, struct mistake *mistakes)
{
    size_t count = 0;
    for (size_t i = 0; i < marks->mark_count; i++) {
        const char *name = mistake_of(&marks->marks[i], lesson, "name");
        size_t at = 0;
        if (!*name)
            continue;
        while (at < count && strcmp(mistakes[at].name, name) != 0)
            at++;
        if (at == count)
            mistakes[count++] =
                (struct mistake){name, mistake_of(&marks->marks[i], lesson, "hint"), 0};
        mistakes[at].count++;
    }
    return count;
}

static int commonest_first(const void *left, const void *right)
{
    const struct mistake *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return strcmp(a->name, b->name);
}

static void put_who(FILE *out, const struct marks *marks, const char *lesson, const char *name)
{
    size_t told = 0;
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[i];
        if (strcmp(mistake_of(mark, lesson, "name"), name) != 0)
            continue;
        fputs(told == 0             ? ""
              : told == FIRST_NAMES ? "<details><summary>and others</summary>"
                                    : ", ",
              out);
        told++;
        class_put_student(out, mark->student, mark->number);
    }
    fputs(told > FIRST_NAMES ? "</details>" : "", out);
}

static void put_mistake(FILE *out, const struct marks *marks, const char *lesson,
                        const struct mistake *mistake)
{
    fputs("<tr><th scope=\"row\" class=\"plain\"><code>", out);
    page_put(out, mistake->name);
    fprintf(out, "</code></th><td class=\"n\" data-label=\"count\">%zu</td>", mistake->count);
    fputs("<td data-label=\"hint\">", out);
    page_put_long(out, mistake->hint);
    fputs("</td><td data-label=\"made by\">", out);
    put_who(out, marks, lesson, mistake->name);
    fputs("</td></tr>\n", out);
}

bool class_put_mistakes(FILE *out, const struct marks *marks, const char *lesson)
{
    struct mistake *mistakes = calloc(marks->mark_count + 1, sizeof *mistakes);
    if (!mistakes)
        return false;
    size_t count = collect(marks, lesson, mistakes);
    qsort(mistakes, count, sizeof *mistakes, commonest_first);
    if (count) {
        fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
              "aria-label=\"Commonest mistakes\"><table class=\"wide stack mistakes\">\n"
              "<caption>Commonest mistakes</caption>\n<thead><tr>"
              "<th scope=\"col\">Mistake</th><th scope=\"col\" class=\"n\">Count</th>"
              "<th scope=\"col\">The hint on it</th><th scope=\"col\">Made by</th></tr></thead>\n"
              "<tbody>\n",
              out);
        for (size_t i = 0; i < count && i < MOST_MISTAKES; i++)
            put_mistake(out, marks, lesson, &mistakes[i]);
        fputs("</tbody>\n</table></div>\n", out);
    }
    if (count > MOST_MISTAKES)
        fprintf(out, "<p class=\"quiet\">%zu other mistakes were made more rarely.</p>\n",
                count - MOST_MISTAKES);
    free(mistakes);
    return true;
}
