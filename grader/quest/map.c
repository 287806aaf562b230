/* map.c - `make quest`: where the learner is. Lessons with bands, the level, achievements. */
#include "quest/earned.h"
#include "quest/quest.h"

#include <stdio.h>

enum { WIDE = 80 }; /* columns from which achievements stand two in a row */

static void print_level(const struct earning *earning, const struct terminal *terminal)
{
    int experience = earning_experience(earning), level = earning_level(experience);
    terminal_print(terminal, STYLE_BOLD, "level %d of %d, %s", level, earning_levels(),
                   earning_level_name(level));
    fprintf(terminal->out, ": %d experience", experience);
    if (level < earning_levels())
        fprintf(terminal->out, ", %d to %s", earning_level_at(level + 1) - experience,
                earning_level_name(level + 1));
    fputs("\n\n", terminal->out);
}

/* The first lesson that is not silver is the next one. */
static void print_lessons(const struct course *course, const struct earning *earning,
                          const struct terminal *terminal)
{
    bool next = true;
    terminal_print(terminal, STYLE_DIM, "  L %-31s %-6s speed\n", "lesson", "band");
    for (size_t i = 0; i < earning->count; i++) {
        const struct earning_lesson *at = &earning->lessons[i];
        struct lesson lesson;
        char figure[16] = "-";
        course_lesson_at(course, i, &lesson);
        bool done = at->band >= EARNING_silver;
        if (at->best_ratio > 0)
            snprintf(figure, sizeof figure, "%.3g %s", at->best_ratio,
                     at->best_is_measured ? "GPU" : "sim");
        terminal_print(terminal, done ? STYLE_GOOD : STYLE_PLAIN, " %2d %-31.31s %-6s %s%s\n",
                       lesson.number, lesson.title,
                       at->band == EARNING_none ? "-" : earning_band_name(at->band), figure,
                       next && !done ? "  <- next" : "");
        next = next && done;
    }
    fputs("speed: the reference has 1; sim is modelled, GPU measured\n", terminal->out);
}

static void print_achievements(const struct earning *earning, const struct terminal *terminal)
{
    int earned = 0;
    for (int i = 0; i < ACHIEVEMENTS; i++)
        earned += *earning->figures[i] != '\0';
    fprintf(terminal->out, "\nachievements: %d of %d ([x] is earned)\n", earned, ACHIEVEMENTS);
    for (int i = 0; i < ACHIEVEMENTS; i++) {
        bool has = *earning->figures[i];
        char cell[120];
        bool two = terminal->columns >= WIDE;
        int most = two ? terminal->columns / 2 - 1 : terminal->columns - 1;
        snprintf(cell, sizeof cell, "[%c] %s", has ? 'x' : ' ', achievement_asks(i));
        terminal_cell(terminal, cell, two && i % 2 == 0 ? most + 1 : 0, most);
        if (!two || i % 2 == 1)
            putc('\n', terminal->out);
    }
}

int quest_map(const struct course *course, const struct terminal *terminal)
{
    struct earning earning;
    bool known = earned_before(course, NULL, NULL, &earning);
    if (known) {
        print_level(&earning, terminal);
        print_lessons(course, &earning, terminal);
        print_achievements(&earning, terminal);
    }
    earning_free(&earning);
    return known ? 0 : EXIT_USAGE;
}
