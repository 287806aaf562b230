/* page.c - what all pages share: text made harmless, head and foot, the names of their files. */
#include "class/page.h"

#include "lib/hash.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { REPLACEMENT = 0xFFFD, LONG_TEXT = 280, FIRST_OF_LONG = 200, LONGEST_NAME = 255 };

/* --- Text ------------------------------------------------------------------------------------- */

/* One character of UTF-8; returns its bytes. What is none is REPLACEMENT, a byte long. */
static size_t decode(const char *text, uint32_t *code)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text;
    size_t bytes = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    *code = REPLACEMENT;
    if (bytes == 0 || first > 0xF4)
        return 1;
    uint32_t found = bytes == 1 ? first : first & (0xFFu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 1;
        found = found << 6 | (text[i] & 0x3F);
    }
    if (found < LEAST[bytes] || found > 0x10FFFF || (found >= 0xD800 && found < 0xE000))
        return 1;
    *code = found;
    return bytes;
}

/* Embeddings, overrides and isolates: code and names can pretend with them to be others. */
static bool turns_direction(uint32_t code)
{
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static void put_character(FILE *out, const char *text, size_t bytes, uint32_t code)
{
    switch (code) {
    case '&': fputs("&amp;", out); return;
    case '<': fputs("&lt;", out); return;
    case '>': fputs("&gt;", out); return;
    case '"': fputs("&quot;", out); return;
    case '\'': fputs("&#39;", out); return;
    case '\r': return; /* a newline comes after it, or nothing that is shown */
    case 0x7F: fputs("␡", out); return;
    }
    if (code < ' ' && code != '\n' && code != '\t')
        fprintf(out, "\xE2\x90%c", (char)(0x80 + code)); /* its picture, from U+2400 on */
    else if (turns_direction(code))
        fprintf(out, "[U+%04X]", code);
    else if (code == REPLACEMENT || (code >= 0x80 && code < 0xA0) || (code & 0xFFFE) == 0xFFFE)
        fputs("\xEF\xBF\xBD", out);
    else
        fwrite(text, 1, bytes, out);
}

/* At most so many characters; returns where it stopped. */
static const char *put_first(FILE *out, const char *text, size_t most)
{
    uint32_t code;
    for (; *text && most; most--) {
        size_t bytes = decode(text, &code);
        put_character(out, text, bytes, code);
        text += bytes;
    }
    return text;
}

void page_put(FILE *out, const char *text)
{
    put_first(out, text, SIZE_MAX);
}

void page_put_name(FILE *out, const char *name)
{
    fputs("<bdi dir=\"auto\">", out);
    const char *rest = put_first(out, name, LONGEST_NAME);
    fputs(*rest ? "…</bdi>" : "</bdi>", out);
}

void page_put_long(FILE *out, const char *text)
{
    if (strlen(text) <= LONG_TEXT) {
        page_put(out, text);
        return;
    }
    fputs("<details class=\"long\"><summary>", out);
    put_first(out, text, FIRST_OF_LONG);
    fputs("… <span class=\"more\">(all of it)</span></summary><div>", out);
    page_put(out, text);
    fputs("</div></details>", out);
}

void page_put_sentence(FILE *out, const char *text)
{
    size_t letters = 0, length = strlen(text);
    while (isalpha((unsigned char)text[letters]))
        letters++;
    if (letters > 1 && text[letters] == ' ' && islower((unsigned char)*text)) {
        putc(toupper((unsigned char)*text), out);
        text++, length--;
    }
    page_put(out, text);
    if (length && !strchr(".?!:", text[length - 1]))
        putc('.', out);
}

void page_put_time(FILE *out, const char *time)
{
    static const char *const MONTHS[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    unsigned year, month, day, hour, minute;
    if (sscanf(time, "%4u-%2u-%2uT%2u:%2u", &year, &month, &day, &hour, &minute) != 5 ||
        month < 1 || month > 12) {
        page_put(out, time);
        return;
    }
    fputs("<time datetime=\"", out);
    page_put(out, time);
    fprintf(out, "\">%u %s %u, %02u:%02u UTC</time>", day, MONTHS[month - 1], year, hour, minute);
}

void page_put_number(FILE *out, double number)
{
    if (!isfinite(number))
        fputs("–", out);
    else
        fprintf(out, "%.15g", round(100 * number) / 100);
}

/* --- Head and foot ---------------------------------------------------------------------------- */

void page_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
          "<meta name=\"robots\" content=\"noindex\"/>\n<title>",
          out);
    page_put(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", page_style);
}

bool page_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
    return fflush(out) == 0 && !ferror(out);
}

/* --- Names of files --------------------------------------------------------------------------- */

/* Windows has devices of these names, whatever comes after a dot. */
static bool is_device(const char *id)
{
    static const char *const NAMES[] = {"con", "prn", "aux", "nul"};
    size_t length = strcspn(id, ".");
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (length == 3 && strncasecmp(id, NAMES[i], 3) == 0)
            return true;
    return length == 4 && (strncasecmp(id, "com", 3) == 0 || strncasecmp(id, "lpt", 3) == 0) &&
           isdigit((unsigned char)id[3]);
}

enum { MOST_ID = 100, DIGITS = 16 };

/* "...-" and 16 digits: the name of another student's page could end so. */
static bool ends_as_a_hash(const char *id, size_t length)
{
    return length > DIGITS && id[length - DIGITS - 1] == '-' &&
           strspn(id + length - DIGITS, "0123456789abcdef") == DIGITS;
}

struct path student_page_name(const struct student *student)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    static const char CAPITALS[] = "abcdefghijklmnopqrstuvwxyz0123456789._-"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *id = student->id;
    size_t length = strlen(id);
    struct hash hash;
    char digits[HASH_TEXT];
    hash_init(&hash);
    hash_add(&hash, id, length);
    hash_text(&hash, digits);
    bool fits = length > 0 && length <= MOST_ID && *id != '.' && strspn(id, CAPITALS) == length &&
                !is_device(id);
    if (fits && strspn(id, PLAIN) == length && !ends_as_a_hash(id, length))
        return path_of("%s.html", id);
    if (fits && !ends_as_a_hash(id, length))
        return path_of("%s-%.*s.html", id, DIGITS, digits);
    return path_of("student-%.*s.html", DIGITS, digits);
}
