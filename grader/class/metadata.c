/* metadata.c - line by line. A student's name may have any text in it, but only after a key and on
 * its line, or on further lines that are indented more than the keys are: so keys count only where
 * they are indented as the first key of their entry. */
#include "class/metadata.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct metadata *metadata;
    char *submission; /* of the present block, or NULL */
    size_t block;     /* indentation of the submission's own keys; 0 before the first */
    size_t keys;      /* of the present submitter's keys; 0 before the first */
    bool in_block, exhausted;
};

/* A value in quotes, and what double quotes mean by a backslash; others as they are. */
static char *value_of(const char *text, size_t length)
{
    while (length && strchr(" \r\t", text[length - 1]))
        length--;
    char quote = length >= 2 && (*text == '"' || *text == '\'') ? *text : '\0';
    if (quote && text[length - 1] == quote) {
        text++;
        length -= 2;
    } else {
        quote = '\0';
    }
    char *value = malloc(length + 1), *put = value;
    for (size_t at = 0; value && at < length; at++) {
        bool pair = quote && at + 1 < length &&
                    (quote == '"' ? text[at] == '\\' : text[at] == '\'' && text[at + 1] == '\'');
        at += pair;
        *put++ = text[at];
    }
    if (value)
        *put = '\0';
    if (value && !quote && (strcmp(value, "null") == 0 || strcmp(value, "~") == 0))
        *value = '\0';
    return value;
}

static void begin_submission(struct reading *reading, const char *line, size_t length)
{
    free(reading->submission);
    reading->in_block = false;
    reading->block = reading->keys = 0;
    reading->submission = NULL;
    while (length && strchr(" \r\t", line[length - 1]))
        length--;
    if (length < 2 || line[length - 1] != ':')
        return;
    reading->submission = value_of(line, length - 1);
    reading->exhausted |= !reading->submission;
}

static void begin_submitter(struct reading *reading)
{
    struct metadata *metadata = reading->metadata;
    struct submitter *all = realloc(metadata->submitters, (metadata->count + 1) * sizeof *all);
    if (!all) {
        reading->exhausted = true;
        return;
    }
    metadata->submitters = all;
    all[metadata->count] = (struct submitter){.submission = strdup(reading->submission),
                                              .name = strdup(""),
                                              .sid = strdup(""),
                                              .email = strdup("")};
    const struct submitter *made = &all[metadata->count++];
    reading->exhausted |= !made->submission || !made->name || !made->sid || !made->email;
}

static void take_key(struct reading *reading, const char *text, size_t length)
{
    static const char *const KEYS[] = {":name:", ":sid:", ":email:"};
    struct submitter *last = &reading->metadata->submitters[reading->metadata->count - 1];
    char **places[] = {&last->name, &last->sid, &last->email};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        size_t key = strlen(KEYS[i]);
        if (length < key || strncmp(text, KEYS[i], key) != 0)
            continue;
        while (key < length && text[key] == ' ')
            key++;
        free(*places[i]);
        *places[i] = value_of(text + key, length - key);
        reading->exhausted |= !*places[i];
    }
}

/* A line that is indented, of a submission. */
static void take_line(struct reading *reading, const char *line, size_t length, size_t indent)
{
    const char *text = line + indent;
    size_t rest = length - indent;
    if (reading->block == 0)
        reading->block = indent;
    if (!reading->in_block) {
        reading->in_block =
            indent == reading->block && rest >= 12 && strncmp(text, ":submitters:", 12) == 0;
        return;
    }
    bool is_entry = rest >= 2 && text[0] == '-' && text[1] == ' ';
    if (is_entry && (reading->keys == 0 || indent < reading->keys)) {
        size_t inner = 1;
        while (inner < rest && text[inner] == ' ')
            inner++;
        reading->keys = indent + inner;
        begin_submitter(reading);
        if (!reading->exhausted)
            take_key(reading, text + inner, rest - inner);
    } else if (indent <= reading->block) {
        /* The block is over, and so is the part of this submission that says whose it is: its
         * history may have blocks of the same name. */
        free(reading->submission);
        reading->submission = NULL;
    } else if (indent == reading->keys) {
        take_key(reading, text, rest);
    }
}

bool metadata_read(const char *text, struct metadata *metadata)
{
    struct reading reading = {.metadata = metadata};
    *metadata = (struct metadata){0};
    for (const char *line = text; *line && !reading.exhausted;) {
        size_t length = strcspn(line, "\n"), indent = 0;
        while (indent < length && line[indent] == ' ')
            indent++;
        bool blank = indent == length || line[indent] == '\r';
        bool in_list = reading.in_block && reading.submission && line[indent] == '-';
        if (!blank && indent == 0 && !in_list)
            begin_submission(&reading, line, length);
        else if (!blank && reading.submission)
            take_line(&reading, line, length, indent);
        line += length + (line[length] == '\n');
    }
    free(reading.submission);
    if (reading.exhausted)
        metadata_free(metadata);
    return !reading.exhausted;
}

void metadata_free(struct metadata *metadata)
{
    for (size_t i = 0; i < metadata->count; i++) {
        free(metadata->submitters[i].submission);
        free(metadata->submitters[i].name);
        free(metadata->submitters[i].sid);
        free(metadata->submitters[i].email);
    }
    free(metadata->submitters);
    *metadata = (struct metadata){0};
}
