/* roster.c - finds the columns by their names, then makes a student of each line. */
#include "class/roster.h"

#include "class/clean.h"
#include "class/csv.h"
#include "lib/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MOST_BYTES = 16 << 20, NO_COLUMN = -1 };

/* Names as plain_name has them; of several columns, the one whose name comes first here counts. */
static const char *const ID_NAMES[] = {"id",       "studentid",  "sid",        "username",
                                       "idnumber", "identifier", "sisloginid", NULL};
static const char *const NAME_NAMES[] = {"name", "student", "fullname", NULL};
static const char *const EMAIL_NAMES[] = {"email", "emailaddress", NULL};

struct columns {
    int id, name, first, last, email, section, canvas_id, sis_id, sis_login;
};

struct reading {
    const char *path;
    struct roster *roster;
    unsigned *lines; /* where each student is */
    struct columns columns;
    size_t width; /* fields of the header */
    char *reason;
    size_t reason_bytes;
};

static bool fail(const struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The sentence starts with the file's name. */
static bool fail(const struct reading *reading, const char *format, ...)
{
    va_list arguments;
    char *shown = clean_text(reading->path, strlen(reading->path));
    int length =
        snprintf(reading->reason, reading->reason_bytes, "%s", shown ? shown : "the roster");
    free(shown);
    if (length < 0 || (size_t)length >= reading->reason_bytes)
        return false;
    va_start(arguments, format);
    vsnprintf(reading->reason + length, reading->reason_bytes - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* --- The header ------------------------------------------------------------------------------- */

/* "First_Name " and "firstname" are the same column. */
static char *plain_name(const char *field)
{
    char *name = strdup(field), *put = name;
    for (const char *at = field; name && *at; at++)
        if (!strchr(" _-\t\r\n", *at))
            *put++ = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    if (name)
        *put = '\0';
    return name;
}

static int column_of(char *const *names, size_t count, const char *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], wanted) == 0)
            return (int)i;
    return NO_COLUMN;
}

static int column_of_any(char *const *names, size_t count, const char *const *wanted)
{
    int column = NO_COLUMN;
    for (; *wanted && column == NO_COLUMN; wanted++)
        column = column_of(names, count, *wanted);
    return column;
}

static bool find_columns(struct reading *reading, const struct csv_row *header)
{
    struct columns *columns = &reading->columns;
    size_t count = 0;
    char **names = calloc(header->count, sizeof *names);
    while (names && count < header->count && (names[count] = plain_name(header->fields[count])))
        count++;
    columns->name = column_of_any(names, count, NAME_NAMES);
    columns->first = column_of(names, count, "firstname");
    columns->last = column_of(names, count, "lastname");
    if (columns->last == NO_COLUMN)
        columns->last = column_of(names, count, "surname"); /* as older versions of Moodle say */
    columns->email = column_of_any(names, count, EMAIL_NAMES);
    columns->section = column_of(names, count, "section");
    columns->sis_id = column_of(names, count, "sisuserid");
    columns->sis_login = column_of(names, count, "sisloginid");
    columns->id = column_of_any(names, count, ID_NAMES);
    columns->canvas_id = NO_COLUMN;
    if (columns->sis_id != NO_COLUMN || columns->sis_login != NO_COLUMN) {
        columns->canvas_id = column_of(names, count, "id");
        columns->id = columns->sis_login != NO_COLUMN ? columns->sis_login : columns->sis_id;
    }
    bool complete = names && count == header->count;
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    reading->width = header->count;
    if (!complete)
        return fail(reading, " cannot be read: memory is exhausted");
    if (columns->id == NO_COLUMN)
        return fail(reading,
                    ":%u has no column of ids: name one \"id\", \"student id\", \"sid\", "
                    "\"username\", \"idnumber\", \"identifier\" or \"SIS Login ID\"",
                    header->line);
    return true;
}

/* --- One student ------------------------------------------------------------------------------ */

static const char *field_of(const struct csv_row *row, int column)
{
    return column != NO_COLUMN && (size_t)column < row->count ? row->fields[column] : "";
}

static char *cell_of(const struct csv_row *row, int column)
{
    const char *field = field_of(row, column);
    return clean_cell(field, strlen(field));
}

static char *name_of(const struct reading *reading, const struct csv_row *row)
{
    const struct columns *columns = &reading->columns;
    char *both = NULL, *name;
    if (columns->name != NO_COLUMN)
        return cell_of(row, columns->name);
    if (asprintf(&both, "%s %s", field_of(row, columns->first), field_of(row, columns->last)) < 0)
        return NULL;
    name = clean_cell(both, strlen(both));
    free(both);
    return name;
}

void student_free(struct student *student)
{
    free(student->id);
    free(student->name);
    free(student->email);
    free(student->section);
    free(student->canvas_id);
    free(student->sis_id);
    free(student->sis_login);
}

/* A student of a Canvas export need not have an id of the school's: then the next best is taken. */
static void replace_id(struct student *student)
{
    const char *next = *student->sis_id ? student->sis_id : student->canvas_id;
    if (*student->id || !*next)
        return;
    free(student->id);
    student->id = strdup(next);
}

/* False when memory is exhausted. */
static bool make_student(const struct reading *reading, const struct csv_row *row,
                         struct student *student)
{
    const struct columns *columns = &reading->columns;
    *student = (struct student){.id = cell_of(row, columns->id),
                                .name = name_of(reading, row),
                                .email = cell_of(row, columns->email),
                                .section = cell_of(row, columns->section),
                                .canvas_id = cell_of(row, columns->canvas_id),
                                .sis_id = cell_of(row, columns->sis_id),
                                .sis_login = cell_of(row, columns->sis_login),
                                .listed = true};
    if (!student->id || !student->name || !student->email || !student->section ||
        !student->canvas_id || !student->sis_id || !student->sis_login)
        return false;
    replace_id(student);
    return student->id != NULL;
}

/* A line of a Canvas export that is about its columns, such as "    Points Possible". */
static bool is_about_columns(const struct reading *reading, const struct student *student)
{
    return reading->columns.canvas_id != NO_COLUMN && !*student->id && !*student->canvas_id &&
           (!*student->name || strcasecmp(student->name, "Points Possible") == 0);
}

static bool is_blank(const struct csv_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->fields[i][strspn(row->fields[i], " \t\r\n")])
            return false;
    return true;
}

/* A comma that should have been quoted would put all that follows it into the wrong columns. */
static bool fits(const struct reading *reading, const struct csv_row *row)
{
    for (size_t i = reading->width; i < row->count; i++)
        if (row->fields[i][strspn(row->fields[i], " \t")])
            return fail(reading,
                        ":%u has %zu fields, but the header has %zu: put a field that has a comma "
                        "into double quotes",
                        row->line, i + 1, reading->width);
    return true;
}

static bool keep(struct reading *reading, const struct student *student, unsigned line)
{
    struct roster *roster = reading->roster;
    struct student *students = realloc(roster->students, (roster->count + 1) * sizeof *students);
    roster->students = students ? students : roster->students;
    unsigned *lines = realloc(reading->lines, (roster->count + 1) * sizeof *lines);
    reading->lines = lines ? lines : reading->lines;
    if (!students || !lines)
        return false;
    students[roster->count] = *student;
    lines[roster->count++] = line;
    return true;
}

static bool take_row(struct reading *reading, const struct csv_row *row)
{
    struct student student;
    if (is_blank(row))
        return true;
    if (!fits(reading, row))
        return false;
    bool made = make_student(reading, row, &student);
    if (made && is_about_columns(reading, &student)) {
        student_free(&student);
        return true;
    }
    if (made && *student.id && keep(reading, &student, row->line))
        return true;
    bool lacks_id = made && !*student.id;
    student_free(&student);
    return lacks_id ? fail(reading, ":%u has no id: write one, or remove the line", row->line)
                    : fail(reading, " cannot be read: memory is exhausted");
}

/* --- The file --------------------------------------------------------------------------------- */

struct place {
    const char *id;
    unsigned line;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *one = left, *other = right;
    int order = strcasecmp(one->id, other->id);
    return order ? order : (one->line > other->line) - (one->line < other->line);
}

static bool ids_are_unique(const struct reading *reading)
{
    const struct roster *roster = reading->roster;
    struct place *places = calloc(roster->count, sizeof *places);
    bool unique = true;
    if (!places)
        return fail(reading, " cannot be read: memory is exhausted");
    for (size_t i = 0; i < roster->count; i++)
        places[i] = (struct place){roster->students[i].id, reading->lines[i]};
    qsort(places, roster->count, sizeof *places, compare_places);
    for (size_t i = 1; i < roster->count && unique; i++)
        if (strcasecmp(places[i - 1].id, places[i].id) == 0)
            unique = fail(reading,
                          ": lines %u and %u have the same id, \"%s\": give each student one of "
                          "their own, or remove a line",
                          places[i - 1].line, places[i].line, places[i - 1].id);
    free(places);
    return unique;
}

static bool read_rows(struct reading *reading, const char *text, size_t bytes)
{
    struct csv csv;
    struct csv_row row;
    enum csv_state state;
    bool taken = true, has_header = false;
    csv_open(&csv, text, bytes);
    while (taken && (state = csv_next(&csv, &row)) == CSV_ROW) {
        if (has_header)
            taken = take_row(reading, &row);
        else if (!is_blank(&row))
            taken = has_header = find_columns(reading, &row);
        csv_row_free(&row);
    }
    if (!taken)
        return false;
    if (state == CSV_UNCLOSED)
        return fail(reading, ":%u opens a double quote that is never closed: close it", row.line);
    if (state == CSV_MEMORY)
        return fail(reading, " cannot be read: memory is exhausted");
    if (!has_header)
        return fail(reading, " is empty: its first line has to name the columns, one of them id");
    if (reading->roster->count == 0)
        return fail(reading, " names its columns, but no student: add a line for each");
    return ids_are_unique(reading);
}

static bool is_text(const struct reading *reading, const char *text, size_t bytes)
{
    size_t at;
    bool utf8 = clean_is_utf8(text, bytes, &at);
    const char *zero = memchr(text, '\0', utf8 ? bytes : at);
    if (utf8 && !zero)
        return true;
    unsigned line = 1;
    for (const char *byte = text; byte < (zero ? zero : text + at); byte++)
        line += *byte == '\n';
    return fail(reading, ":%u is not UTF-8 text: save the file as \"CSV UTF-8\"", line);
}

static bool fail_to_open(const struct reading *reading, int error)
{
    struct stat status;
    if (stat(reading->path, &status) == 0 && S_ISDIR(status.st_mode))
        return fail(reading, " is a folder: name the CSV file in it");
    if (error == EFBIG)
        return fail(reading, " is too long for a roster: it may have at most 16 MiB");
    if (error == EISDIR)
        return fail(reading, " is not a file: name a CSV file");
    return fail(reading, " cannot be read (%s): check the name, and that you may read it",
                strerror(error));
}

bool roster_read(const char *path, struct roster *roster, char *reason, size_t reason_bytes)
{
    struct reading reading = {
        .path = path, .roster = roster, .reason = reason, .reason_bytes = reason_bytes};
    size_t bytes;
    *roster = (struct roster){0};
    char *text = file_read(path, MOST_BYTES, &bytes);
    if (!text)
        return fail_to_open(&reading, errno);
    bool read = is_text(&reading, text, bytes) && read_rows(&reading, text, bytes);
    free(text);
    free(reading.lines);
    if (!read)
        roster_free(roster);
    return read;
}

void roster_free(struct roster *roster)
{
    for (size_t i = 0; i < roster->count; i++)
        student_free(&roster->students[i]);
    free(roster->students);
    *roster = (struct roster){0};
}

const struct student *roster_find(const struct roster *roster, const char *id)
{
    char *wanted = clean_cell(id, strlen(id));
    const struct student *found = NULL;
    for (size_t i = 0; wanted && *wanted && i < roster->count && !found; i++)
        if (strcasecmp(roster->students[i].id, wanted) == 0)
            found = &roster->students[i];
    free(wanted);
    return found;
}
