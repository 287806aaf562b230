/* terminal.c - styles, quoting, wrapping, and the one line of progress. */
#include "lib/terminal.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 100, LEAST_COLUMNS = 40, MOST_COLUMNS = 100 };

static int columns_of(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return DEFAULT_COLUMNS;
    return size.ws_col < LEAST_COLUMNS  ? LEAST_COLUMNS
           : size.ws_col > MOST_COLUMNS ? MOST_COLUMNS
                                        : size.ws_col;
}

bool terminal_moves(void)
{
    const char *kind = getenv("TERM");
    return kind && *kind && strcmp(kind, "dumb") != 0;
}

struct terminal terminal_of(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    bool is_terminal = isatty(fileno(out));
    return (struct terminal){.out = out,
                             .colour = is_terminal && terminal_moves() && !(no_color && *no_color),
                             .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                             .columns = columns_of(fileno(out))};
}

void terminal_print(const struct terminal *terminal, enum terminal_style style, const char *format,
                    ...)
{
    static const char *const CODES[] = {"",         "\033[32m", "\033[31m",
                                        "\033[33m", "\033[1m",  "\033[2m"};
    bool styled = terminal->colour && style != STYLE_PLAIN;
    va_list arguments;
    va_start(arguments, format);
    if (styled)
        fputs(CODES[style], terminal->out);
    vfprintf(terminal->out, format, arguments);
    if (styled)
        fputs("\033[0m", terminal->out);
    va_end(arguments);
}

/* Control characters could move the cursor or fake a verdict: they become question marks. In UTF-8
 * the ones above 127 are C2 80 to C2 9F. */
static const char *put_clean(const struct terminal *terminal, const char *at)
{
    unsigned char c = (unsigned char)*at, next = (unsigned char)at[1];
    bool c1 = c == 0xC2 && next >= 0x80 && next <= 0x9F;
    bool foreign = c >= 0x80 && !terminal->unicode;
    if (c1 || foreign || (c < ' ' && c != '\t') || c == 0x7F)
        putc('?', terminal->out);
    else
        putc(c, terminal->out);
    return at + (c1 ? 2 : 1);
}

/* Columns that a text of that many bytes takes: a UTF-8 character counts once. */
static int width_of(const char *text, size_t bytes)
{
    int width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

/* Where to cut the text so that the rest and three dots fit; its end if it fits. */
static const char *cut_of(const char *text, const char *end, int most)
{
    const char *cut = text;
    if (width_of(text, (size_t)(end - text)) <= most)
        return end;
    for (int width = 0; cut < end; cut++) {
        width += ((unsigned char)*cut & 0xC0) != 0x80;
        if (width > most - 3)
            break;
    }
    return cut;
}

void terminal_quote(const struct terminal *terminal, const char *text, int indent,
                    unsigned most_lines)
{
    unsigned lines = 0;
    while (*text && lines++ < most_lines) {
        const char *end = text + strcspn(text, "\n");
        const char *cut = cut_of(text, end, terminal->columns - indent);
        fprintf(terminal->out, "%*s", indent, "");
        while (text < cut)
            text = put_clean(terminal, text);
        fputs(cut < end ? "...\n" : "\n", terminal->out);
        text = end + (*end == '\n');
    }
    if (*text)
        fprintf(terminal->out, "%*s...\n", indent, "");
}

int terminal_cell(const struct terminal *terminal, const char *text, int least, int most)
{
    const char *cut = cut_of(text, text + strlen(text), most);
    int width = width_of(text, (size_t)(cut - text)) + (*cut ? 3 : 0);
    while (text < cut)
        if (*text == '\n' || *text == '\t')
            text += putc(' ', terminal->out) == ' ';
        else
            text = put_clean(terminal, text);
    fprintf(terminal->out, "%s%*s", *cut ? "..." : "", width < least ? least - width : 0, "");
    return width < least ? least : width;
}

void terminal_wrap(const struct terminal *terminal, const char *text, int indent, int at)
{
    bool line_is_empty = true;
    if (at == 0)
        at = fprintf(terminal->out, "%*s", indent, "");
    while (*text) {
        size_t bytes = strcspn(text, " \n");
        int word = width_of(text, bytes);
        if (!line_is_empty && at + 1 + word > terminal->columns) {
            at = fprintf(terminal->out, "\n%*s", indent, "") - 1;
            line_is_empty = true;
        }
        if (!line_is_empty)
            at += fprintf(terminal->out, " ");
        for (const char *end = text + bytes; text < end;)
            text = put_clean(terminal, text);
        at += word;
        line_is_empty = false;
        text += strspn(text, " \n");
    }
    putc('\n', terminal->out);
}

/* Where a line cannot be replaced, now and then one more. */
static void progress_in_lines(const char *text)
{
    enum { EACH_SECONDS = 5 };
    static time_t last;
    time_t now = time(NULL);
    if (!text || now - last < EACH_SECONDS)
        return;
    fprintf(stderr, "  %s\n", text);
    last = now;
}

void terminal_progress(const char *text)
{
    static bool shown;
    if (!isatty(STDERR_FILENO))
        return;
    if (!terminal_moves())
        progress_in_lines(text);
    else if (text || shown)
        fprintf(stderr, "\r\033[K%s%s", text ? "  " : "", text ? text : "");
    shown = text != NULL;
    fflush(stderr);
}
