/* files.c - reading, complete writing, making and removing. */
#include "lib/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct path path_of(const char *format, ...)
{
    struct path path;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path.text, sizeof path.text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof path.text)
        path.text[0] = '\0';
    return path;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct path path_real(const char *path)
{
    struct path real;
    if (!realpath(path, real.text))
        real.text[0] = '\0';
    return real;
}

static bool read_all(int fd, char *to, size_t bytes)
{
    while (bytes) {
        ssize_t got = read(fd, to, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? EIO : errno; /* it shrank while it was read */
            return false;
        }
        to += got;
        bytes -= (size_t)got;
    }
    return true;
}

static char *read_open(int fd, size_t most_bytes, size_t *size_bytes)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return NULL;
    if (!S_ISREG(status.st_mode) || (uintmax_t)status.st_size > most_bytes) {
        errno = S_ISREG(status.st_mode) ? EFBIG : EISDIR;
        return NULL;
    }
    size_t bytes = (size_t)status.st_size;
    char *text = malloc(bytes + 1);
    if (!text)
        return NULL;
    if (!read_all(fd, text, bytes)) {
        free(text);
        return NULL;
    }
    text[bytes] = '\0';
    if (size_bytes)
        *size_bytes = bytes;
    return text;
}

char *file_read(const char *path, size_t most_bytes, size_t *size_bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait for a FIFO's writer */
    if (fd < 0)
        return NULL;
    char *text = read_open(fd, most_bytes, size_bytes);
    int error = errno;
    close(fd);
    errno = error;
    return text;
}

static bool write_all(int fd, const char *from, size_t bytes)
{
    while (bytes) {
        ssize_t put = write(fd, from, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        from += put;
        bytes -= (size_t)put;
    }
    return true;
}

bool file_write(const char *path, const void *data, size_t size_bytes)
{
    struct path beside = path_of("%s.%d.tmp", path, (int)getpid());
    int fd = open(beside.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool written = write_all(fd, data, size_bytes);
    int error = errno;
    if (close(fd) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && rename(beside.text, path) == 0)
        return true;
    error = written ? errno : error;
    unlink(beside.text);
    errno = error;
    return false;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool folder_make(const char *path)
{
    struct path part = path_of("%s", path);
    for (char *slash = part.text + 1; *slash; slash++) {
        if (*slash != '/')
            continue;
        *slash = '\0';
        if (mkdir(part.text, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part.text, 0777) == 0 || errno == EEXIST;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status, (void)type, (void)ftw;
    return remove(path);
}

bool folder_remove(const char *path)
{
    enum { MOST_OPEN = 16 };
    return nftw(path, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

int folder_list(const char *path, const char *suffix, char ***names)
{
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, alphasort), kept = 0;
    if (found < 0)
        return -1;
    *names = calloc((size_t)found + 1, sizeof **names);
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        if (*names && name[0] != '.' && ends_in(name, suffix) && ((*names)[kept] = strdup(name)))
            kept++;
        free(entries[i]);
    }
    free(entries);
    return *names ? kept : -1;
}
