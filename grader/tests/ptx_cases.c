/* ptx_cases.c - reading .test files; grader/tests/ptx/README.md says what they look like.
 *
 * A file is a sequence of lines, where an indented line continues the one above it. Lines that
 * start with "@ " and module text stand before the group they belong to; then come program,
 * inputs and expected results, one line each.
 */
#include "ptx_cases.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024 };

struct reader {
    struct cases_file *file;
    char *next; /* the rest of the text */
    unsigned next_line;
    char *line; /* the current line, with its continuations */
    unsigned number;
    struct ptx_case one; /* the group that is being read */
    enum { AT_PROGRAM, AT_INPUTS, AT_EXPECTED } stage;
    char *error;
    size_t error_size;
};

static bool fail(struct reader *reader, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(reader->error, reader->error_size, "%s:%u: %s", reader->file->name, reader->number,
             what);
    return false;
}

/* --- Lines ------------------------------------------------------------------------------------ */

static bool is_blank_line(const char *text)
{
    return text[strspn(text, " \t")] == '\n' || *text == '#';
}

static char *behind_line(struct reader *reader, char *at)
{
    at += strcspn(at, "\n");
    reader->next_line++;
    return *at ? at + 1 : at;
}

/* The next line that says something; false at the end. Its end becomes a zero byte. */
static bool next_line(struct reader *reader)
{
    char *at = reader->next;
    while (*at && is_blank_line(at))
        at = behind_line(reader, at);
    if (!*at)
        return false;
    reader->line = at;
    reader->number = reader->next_line;
    do
        at = behind_line(reader, at);
    while (*at == ' ' && !is_blank_line(at));
    reader->next = at;
    if (at > reader->line && at[-1] == '\n')
        at[-1] = 0;
    return true;
}

static bool starts_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* --- Annotations ------------------------------------------------------------------------------ */

/* "2 ulp", "2^-22 relative", "2^-20.5 absolute" */
static bool read_tolerance(const char *text, struct case_tolerance *tolerance)
{
    double amount, power = 0;
    char word[16];
    if (sscanf(text, "2^%lf %15s", &power, word) == 2)
        amount = __builtin_exp2(power);
    else if (sscanf(text, "%lf %15s", &amount, word) != 2)
        return false;
    tolerance->amount = amount;
    tolerance->measure = !strcmp(word, "ulp")        ? MEASURE_ULP
                         : !strcmp(word, "relative") ? MEASURE_RELATIVE
                         : !strcmp(word, "absolute") ? MEASURE_ABSOLUTE
                                                     : MEASURE_EXACT;
    return tolerance->measure != MEASURE_EXACT;
}

static bool read_extent(const char *text, uint32_t extent[3])
{
    extent[0] = extent[1] = extent[2] = 1;
    return sscanf(text, "%u %u %u", &extent[0], &extent[1], &extent[2]) >= 1;
}

static bool annotation(struct reader *reader)
{
    const char *text = reader->line + 2;
    struct ptx_case *one = &reader->one;
    bool ok = true;
    if (starts_with(text, "tolerance "))
        ok = read_tolerance(text + 10, &one->tolerance);
    else if (starts_with(text, "block "))
        ok = read_extent(text + 6, one->block);
    else if (starts_with(text, "grid "))
        ok = read_extent(text + 5, one->grid);
    else if (starts_with(text, "cluster ")) {
        ok = read_extent(text + 8, one->cluster);
        one->guarded = false;
        one->needs_sm = 90;
    } else if (starts_with(text, "sm "))
        ok = sscanf(text + 3, "%u", &one->needs_sm) == 1;
    else if (!strcmp(text, "simulated"))
        one->only_simulated = true;
    else if (!strcmp(text, "together"))
        one->guarded = false;
    else if (!strcmp(text, "guarded when simulated"))
        one->guarded_simulated = true;
    else
        ok = false;
    return ok ? true : fail(reader, "'@ %.80s' is not an annotation; see README.md", text);
}

/* --- Values ----------------------------------------------------------------------------------- */

struct table { /* of values, a row a thread */
    struct case_value *values;
    const uint32_t *registers;
    uint32_t columns, rows, room;
};

static bool reserve_row(struct table *table)
{
    if (table->rows < table->room)
        return true;
    uint32_t room = table->room ? 2 * table->room : 16;
    struct case_value *grown =
        realloc(table->values, (size_t)room * (table->columns + 1) * sizeof *grown);
    if (!grown)
        return false;
    table->values = grown;
    table->room = room;
    return true;
}

static struct case_value *last_row(const struct table *table)
{
    return table->values + (size_t)(table->rows - 1) * table->columns;
}

static bool repeat_row(struct reader *reader, struct table *table, unsigned times)
{
    for (unsigned i = 1; i < times; i++) {
        if (!reserve_row(table))
            return fail(reader, "not enough memory");
        table->rows++;
        memcpy(last_row(table), last_row(table) - table->columns,
               table->columns * sizeof *table->values);
    }
    return true;
}

/* "3..31": a row each. */
static bool range_rows(struct reader *reader, struct table *table, unsigned first, unsigned last)
{
    if (table->columns != 1 || first > last || last - first >= MOST_THREADS)
        return fail(reader, "'%u..%u' is no range of single values", first, last);
    for (unsigned value = first; value <= last; value++) {
        if (!reserve_row(table))
            return fail(reader, "not enough memory");
        table->rows++;
        *last_row(table) = (struct case_value){.bits = value};
    }
    return true;
}

/* What stands between two bars: a value for each register, or "-" for none of them; and "*8" to
 * repeat the whole. */
static bool read_row(struct reader *reader, struct table *table, char *text)
{
    unsigned first, last, times = 1;
    uint32_t column = 0;
    char *rest, *word = strtok_r(text, " \t\n", &rest);
    if (word && sscanf(word, "%u..%u", &first, &last) == 2)
        return range_rows(reader, table, first, last);
    if (!reserve_row(table))
        return fail(reader, "not enough memory");
    table->rows++;
    for (; word; word = strtok_r(NULL, " \t\n", &rest)) {
        if (sscanf(word, "*%u", &times) == 1)
            continue;
        for (; !strcmp(word, "-") && column < table->columns; column++)
            last_row(table)[column] = (struct case_value){.absent = true};
        if (!strcmp(word, "-"))
            continue;
        if (column == table->columns)
            return fail(reader, "'%.60s' is one value too many", word);
        const struct case_register *is = &reader->one.registers[table->registers[column]];
        if (!value_read(word, is->type, &last_row(table)[column++]))
            return fail(reader, "'%.60s' is not a value of '%s', which is a .%s", word, is->name,
                        ptx_type_name(is->type));
    }
    if (column < table->columns)
        return fail(reader, "%u values stand where %u are needed", column, table->columns);
    return repeat_row(reader, table, times);
}

static bool read_rows(struct reader *reader, struct table *table)
{
    char *rest = reader->line, *group;
    while ((group = strsep(&rest, "|")))
        if (!read_row(reader, table, group))
            return false;
    return true;
}

/* One row stands for all threads. */
static bool fill_up(struct reader *reader, struct table *table, const char *what)
{
    uint32_t threads = reader->one.thread_count;
    if (table->rows != 1 && table->rows != threads)
        return fail(reader, "%u groups of %s for %u threads", table->rows, what, threads);
    return table->rows == threads || repeat_row(reader, table, threads);
}

/* --- Groups ----------------------------------------------------------------------------------- */

static bool is_module_text(const char *line)
{
    static const char *WORDS[] = {".global", ".const", ".func", ".visible", ".extern", ".weak"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (starts_with(line, WORDS[i]))
            return true;
    return false;
}

static void start_group(struct reader *reader)
{
    reader->one = (struct ptx_case){.file = reader->file->name, .guarded = true};
    reader->stage = AT_PROGRAM;
}

static bool module_text(struct reader *reader)
{
    struct ptx_case *one = &reader->one;
    char *text;
    if (asprintf(&text, "%s%s\n", one->module_text ? one->module_text : "", reader->line) < 0)
        return fail(reader, "not enough memory");
    free(one->module_text);
    one->module_text = text;
    return true;
}

static bool program(struct reader *reader)
{
    struct ptx_case *one = &reader->one;
    char what[160];
    bool is_plain;
    one->line = reader->number;
    one->program = reader->line;
    if (!cases_find_registers(one, what, sizeof what))
        return fail(reader, "%s", what);
    if (cases_count_instructions(one, &is_plain) != 1 || !is_plain)
        one->guarded = false;
    reader->stage = AT_INPUTS;
    return true;
}

static bool inputs(struct reader *reader)
{
    struct ptx_case *one = &reader->one;
    struct table table = {.registers = one->inputs, .columns = one->input_count};
    bool ok = read_rows(reader, &table);
    one->given = table.values;
    one->thread_count = table.rows; /* until the expected results are known */
    reader->stage = AT_EXPECTED;
    return ok;
}

static bool set_threads(struct reader *reader, uint32_t rows)
{
    struct ptx_case *one = &reader->one;
    uint32_t most = rows > one->thread_count ? rows : one->thread_count;
    if (!one->block[0])
        memcpy(one->block, (uint32_t[3]){most, 1, 1}, sizeof one->block);
    if (!one->grid[0])
        memcpy(one->grid, (uint32_t[3]){1, 1, 1}, sizeof one->grid);
    uint64_t threads = (uint64_t)one->block[0] * one->block[1] * one->block[2];
    threads *= (uint64_t)one->grid[0] * one->grid[1] * one->grid[2];
    if (threads == 0 || threads > MOST_THREADS)
        return fail(reader, "a group has 1 to %d threads", MOST_THREADS);
    one->thread_count = (uint32_t)threads;
    return true;
}

static bool keep(struct reader *reader)
{
    struct cases_file *file = reader->file;
    if (file->count == file->room) {
        size_t room = file->room ? 2 * file->room : 64;
        struct ptx_case *grown = realloc(file->cases, room * sizeof *grown);
        if (!grown)
            return fail(reader, "not enough memory");
        file->cases = grown;
        file->room = room;
    }
    file->cases[file->count++] = reader->one;
    start_group(reader);
    return true;
}

static bool expected(struct reader *reader)
{
    struct ptx_case *one = &reader->one;
    struct table given = {.values = one->given,
                          .columns = one->input_count,
                          .rows = one->thread_count,
                          .room = one->thread_count};
    struct table table = {.registers = one->outputs, .columns = one->output_count};
    bool is_refusal = starts_with(reader->line, "! ");
    if (is_refusal)
        one->refusal = reader->line + 2;
    bool ok = (is_refusal || read_rows(reader, &table)) && set_threads(reader, table.rows) &&
              fill_up(reader, &given, "inputs");
    one->given = given.values;
    ok = ok && (is_refusal || fill_up(reader, &table, "results"));
    one->expected = table.values;
    return ok && keep(reader);
}

static bool read_line(struct reader *reader)
{
    if (isspace((unsigned char)*reader->line))
        return fail(reader, "an indented line continues none");
    if (reader->stage == AT_INPUTS)
        return inputs(reader);
    if (reader->stage == AT_EXPECTED)
        return expected(reader);
    if (starts_with(reader->line, "@ "))
        return annotation(reader);
    if (is_module_text(reader->line))
        return module_text(reader);
    return program(reader);
}

/* --- Files ------------------------------------------------------------------------------------ */

static char *whole_file(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = fopen(path, "r");
    if (stream && getdelim(&text, &size, 0, stream) < 0) {
        free(text);
        text = NULL;
    }
    if (stream)
        fclose(stream);
    return text;
}

static void free_case(struct ptx_case *one)
{
    free(one->module_text);
    free(one->given);
    free(one->expected);
}

bool cases_read(const char *path, struct cases_file *file, char *error, size_t error_size)
{
    const char *slash = strrchr(path, '/');
    *file = (struct cases_file){.name = strdup(slash ? slash + 1 : path), .text = whole_file(path)};
    struct reader reader = {
        .file = file, .next = file->text, .next_line = 1, .error = error, .error_size = error_size};
    bool ok = file->name && file->text;
    if (!ok)
        snprintf(error, error_size, "%s: cannot be read, or is empty", path);
    start_group(&reader);
    while (ok && next_line(&reader))
        ok = read_line(&reader);
    if (ok && (reader.stage != AT_PROGRAM || reader.one.module_text))
        ok = fail(&reader, "the last group is not complete");
    if (!ok) {
        free_case(&reader.one);
        cases_free(file);
    }
    return ok;
}

void cases_free(struct cases_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        free_case(&file->cases[i]);
    free(file->cases);
    free(file->name);
    free(file->text);
    *file = (struct cases_file){0};
}
