/* profile_source.c - the text of source lines, if the source is where the program was compiled, or
 * in the folder in which it was started.
 *
 * A file that is missing, not regular or very large is left out; then the profile names its lines
 * by number only.
 */
#include "profile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 8 << 20 };

struct source_file {
    struct source_file *next;
    const char *name;
    char *text;         /* NULL when it cannot be read */
    size_t *line_start; /* line_count + 1 of them */
    unsigned line_count;
};

static char *read_whole(int fd, size_t *bytes)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
        return NULL;
    char *text = malloc((size_t)status.st_size + 1);
    *bytes = 0;
    for (ssize_t got; text && *bytes < (size_t)status.st_size; *bytes += (size_t)got)
        if ((got = read(fd, text + *bytes, (size_t)status.st_size - *bytes)) <= 0)
            break;
    return text;
}

static bool find_lines(struct source_file *file, size_t bytes)
{
    unsigned count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += file->text[i] == '\n' || i + 1 == bytes;
    file->line_start = calloc((size_t)count + 1, sizeof *file->line_start);
    if (!file->line_start)
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (file->text[i] == '\n' || i + 1 == bytes)
            file->line_start[++file->line_count] = i + 1;
    return true;
}

const char *profile_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static struct source_file *read_source(const char *name)
{
    struct source_file *file = calloc(1, sizeof *file);
    size_t bytes = 0;
    if (!file)
        return NULL;
    file->name = name;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        fd = open(profile_base_name(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    file->text = fd >= 0 ? read_whole(fd, &bytes) : NULL;
    if (fd >= 0)
        close(fd);
    if (file->text && !find_lines(file, bytes)) {
        free(file->text);
        file->text = NULL;
    }
    return file;
}

static const struct source_file *source_named(const struct profile *profile, const char *name)
{
    for (const struct source_file *file = profile->sources; file; file = file->next)
        if (strcmp(file->name, name) == 0)
            return file->text ? file : NULL;
    return NULL;
}

static bool is_read(const struct profile *profile, const char *name)
{
    for (const struct source_file *file = profile->sources; file; file = file->next)
        if (strcmp(file->name, name) == 0)
            return true;
    return false;
}

bool profile_source_read(struct profile *profile, const char *name)
{
    if (is_read(profile, name))
        return true;
    struct source_file *file = read_source(name);
    if (!file)
        return false;
    file->next = profile->sources;
    profile->sources = file;
    return true;
}

bool profile_sources_read(struct profile *profile)
{
    for (size_t i = 0; i < profile->line_count; i++)
        if (!profile_source_read(profile, profile->lines[i].place.file))
            return false;
    return true;
}

const char *profile_source_line(const struct profile *profile, const char *name, unsigned number,
                                size_t *length)
{
    const struct source_file *file = source_named(profile, name);
    if (!file || number == 0 || number > file->line_count)
        return NULL;
    const char *text = file->text + file->line_start[number - 1];
    *length = file->line_start[number] - file->line_start[number - 1];
    while (*length && (text[*length - 1] == '\n' || text[*length - 1] == '\r'))
        (*length)--;
    return text;
}

unsigned profile_source_lines(const struct profile *profile, const char *name)
{
    const struct source_file *file = source_named(profile, name);
    return file ? file->line_count : 0;
}

void profile_sources_free(struct source_file *sources)
{
    for (struct source_file *file = sources, *next; file; file = next) {
        next = file->next;
        free(file->text);
        free(file->line_start);
        free(file);
    }
}
