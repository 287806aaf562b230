/* terminal.h - what our output can show: colour, Unicode, or neither.
 *
 * Colour and symbols never carry information alone. NO_COLOR (no-color.org) and a pipe turn colour
 * off; a locale without UTF-8 turns symbols into ASCII.
 */
#ifndef LIB_TERMINAL_H
#define LIB_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_style { STYLE_PLAIN, STYLE_GOOD, STYLE_BAD, STYLE_WARNING, STYLE_BOLD, STYLE_DIM };

struct terminal {
    FILE *out;
    bool colour, unicode;
    int columns;
};

/* Call setlocale first. */
struct terminal terminal_of(FILE *out);

/* As fprintf, in a style. */
void terminal_print(const struct terminal *terminal, enum terminal_style style, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
/* Text from elsewhere: control characters except newline and tab are replaced, and lines are
 * indented by that many columns and cut at the terminal's edge. At most most_lines of them. */
void terminal_quote(const struct terminal *terminal, const char *text, int indent,
                    unsigned most_lines);
/* Text from elsewhere within a line, newlines as spaces: cut after at most most columns, padded to
 * least. Returns how many columns it took. */
int terminal_cell(const struct terminal *terminal, const char *text, int least, int most);
/* A paragraph, broken at the terminal's width, at most 100 columns; every line starts at column
 * indent, the first one at column at, where the cursor is already, unless that is 0. */
void terminal_wrap(const struct terminal *terminal, const char *text, int indent, int at);

/* Whether the terminal at hand can move its cursor: TERM is neither unset nor "dumb". */
bool terminal_moves(void);
/* One line on standard error that the next call replaces; nothing if that is not a terminal. NULL
 * removes it. Where the cursor cannot move, a line of its own each few seconds. */
void terminal_progress(const char *text);

#endif
