/* archive.c - opens a zip file, looks at each entry, and unpacks what is wanted under a number. */
#include "class/archive.h"

#include <stdio.h>

const struct archive_limits archive_limits = {20000, 512U << 20, 100};
const struct archive_limits archive_limits_nested = {2000, 32U << 20, 100};

#ifdef HAVE_LIBZIP

#include "class/names.h"
#include "check/source.h"
#include "lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

enum { MOST_METADATA_BYTES = 32 << 20, RATIO_COUNTS_FROM = 1 << 20, AT_ONCE = 1 << 16 };

static const char PACKED_OTHERWISE[] =
    "is packed in a way that is not unpacked here: pack it as an ordinary zip file";

struct unpacking {
    const struct archive_job *job;
    zip_t *zip;
    uint64_t zip_bytes, unpacked;
    char *problem; /* of the zip file */
    size_t problem_bytes;
    enum handed_in_state state; /* of the zip file */
};

/* --- The whole zip file ----------------------------------------------------------------------- */

static bool stop(struct unpacking *unpacking, enum handed_in_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool stop(struct unpacking *unpacking, enum handed_in_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(unpacking->problem, unpacking->problem_bytes, format, arguments);
    va_end(arguments);
    unpacking->state = state;
    return false;
}

/* An error of libzip that is this machine's doing, not the file's. */
static bool is_of_machine(const zip_error_t *error)
{
    switch (zip_error_code_zip(error)) {
    case ZIP_ER_MEMORY:
    case ZIP_ER_READ:
    case ZIP_ER_OPEN:
    case ZIP_ER_TELL: return true;
    default: return false;
    }
}

static bool stop_by_error(struct unpacking *unpacking, zip_error_t *error)
{
    if (is_of_machine(error))
        return stop(unpacking, HANDED_IN_BLOCKED, "cannot be read (%s): try again",
                    zip_error_strerror(error));
    if (zip_error_code_zip(error) == ZIP_ER_NOZIP)
        return stop(unpacking, HANDED_IN_BAD,
                    "is no zip file, or only a part of one: hand it in again");
    return stop(unpacking, HANDED_IN_BAD, "is a damaged zip file (%s): hand it in again",
                zip_error_strerror(error));
}

static int open_file(struct unpacking *unpacking)
{
    struct stat status;
    int fd = open(unpacking->job->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0) {
        stop(unpacking, HANDED_IN_BLOCKED,
             "cannot be read (%s): check that you may read it, and try again", strerror(errno));
    } else if (!S_ISREG(status.st_mode) || status.st_size == 0) {
        stop(unpacking, HANDED_IN_BAD,
             S_ISREG(status.st_mode) ? "is empty: hand it in again" : "is not a regular file");
    } else {
        unpacking->zip_bytes = (uint64_t)status.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool open_zip(struct unpacking *unpacking)
{
    int fd = open_file(unpacking), code = 0;
    if (fd < 0)
        return false;
    unpacking->zip = zip_fdopen(fd, 0, &code);
    if (unpacking->zip)
        return true;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    stop_by_error(unpacking, &error);
    zip_error_fini(&error);
    close(fd);
    return false;
}

/* --- One entry -------------------------------------------------------------------------------- */

/* NULL when the path stays in its folder. */
static const char *objection_to_path(const char *name)
{
    bool leaves = *name == '/' || (*name && name[1] == ':');
    for (const char *part = name; part && !leaves; part = strchr(part, '/')) {
        part += *part == '/';
        leaves = strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]);
    }
    return leaves ? "has a path in its zip file that leads out of it: pack the files themselves"
                  : NULL;
}

/* NULL for what may be a regular file. Only Unix says in a zip file what an entry is. */
static const char *objection_to_type(zip_t *zip, zip_uint64_t index)
{
    zip_uint8_t system;
    zip_uint32_t attributes;
    if (zip_file_get_external_attributes(zip, index, 0, &system, &attributes) != 0 ||
        system != ZIP_OPSYS_UNIX)
        return NULL;
    mode_t mode = (mode_t)(attributes >> 16) & S_IFMT;
    if (mode == S_IFLNK)
        return "is a symbolic link: hand in the file itself";
    return mode == 0 || mode == S_IFREG || mode == S_IFDIR ? NULL : "is not a regular file";
}

/* libzip keeps the list of what a zip file has in memory, so a nested one has to be small. */
static uint64_t most_bytes(enum name_kind kind)
{
    return kind == NAME_SOURCE     ? SOURCE_MOST_BYTES
           : kind == NAME_METADATA ? MOST_METADATA_BYTES
                                   : archive_limits_nested.bytes;
}

/* What is wrong with an entry that is wanted, as far as its description tells. */
static const char *objection_to_entry(const struct unpacking *unpacking, enum name_kind kind,
                                      const zip_stat_t *status)
{
    if (kind == NAME_ZIP && unpacking->job->is_nested)
        return "is a zip file in a zip file in a zip file: pack the .cu files themselves";
    if ((status->valid & ZIP_STAT_ENCRYPTION_METHOD) && status->encryption_method != ZIP_EM_NONE)
        return "is encrypted: hand it in without a password";
    /* Others are rare, and can be made to ask for memory without end. */
    if ((status->valid & ZIP_STAT_COMP_METHOD) && status->comp_method != ZIP_CM_STORE &&
        status->comp_method != ZIP_CM_DEFLATE)
        return PACKED_OTHERWISE;
    if ((status->valid & ZIP_STAT_SIZE) && status->size > most_bytes(kind))
        return kind == NAME_SOURCE ? "is too large: a kernel's source has at most 256 KiB"
                                   : "is too large to be unpacked";
    return NULL;
}

/* Too much is a property of the zip file: it is left there, whatever else is in it. */
static bool within_limits(struct unpacking *unpacking)
{
    const struct archive_limits *limits = unpacking->job->limits;
    if (unpacking->unpacked > limits->bytes)
        return stop(unpacking, HANDED_IN_BAD,
                    "has more than %llu MiB in it, so it was not unpacked to its end: hand in only "
                    "the .cu files",
                    (unsigned long long)(limits->bytes >> 20));
    if (unpacking->unpacked > RATIO_COUNTS_FROM &&
        unpacking->unpacked / limits->ratio > unpacking->zip_bytes)
        return stop(unpacking, HANDED_IN_BAD,
                    "becomes more than %llu times as large when it is unpacked, so it was not "
                    "unpacked to its end: hand in only the .cu files",
                    (unsigned long long)limits->ratio);
    return true;
}

static bool write_all(int fd, const char *from, size_t bytes)
{
    while (bytes) {
        ssize_t put = write(fd, from, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        from += put;
        bytes -= (size_t)put;
    }
    return true;
}

static bool stop_by_disk(struct unpacking *unpacking)
{
    return stop(unpacking, HANDED_IN_BLOCKED,
                "cannot be unpacked (%s): make room on the disk, and try again", strerror(errno));
}

/* Copy until the entry ends. An entry that is longer than it said is an objection. False when the
 * zip file has to be left. */
static bool copy(struct unpacking *unpacking, zip_file_t *from, int to, uint64_t most,
                 const char **objection)
{
    char buffer[AT_ONCE];
    uint64_t copied = 0;
    zip_int64_t got;
    while ((got = zip_fread(from, buffer, sizeof buffer)) > 0) {
        copied += (uint64_t)got;
        unpacking->unpacked += (uint64_t)got;
        if (copied > most) {
            *objection = "is longer than its zip file says: pack it again";
            return within_limits(unpacking);
        }
        if (!within_limits(unpacking))
            return false;
        if (!write_all(to, buffer, (size_t)got))
            return stop_by_disk(unpacking);
    }
    if (got < 0) {
        *objection = "is damaged in its zip file: hand it in again";
        if (is_of_machine(zip_file_get_error(from)))
            return stop_by_error(unpacking, zip_file_get_error(from));
    }
    return true;
}

/* The time of the entry becomes that of the file, so that resubmissions can be told apart. */
static void set_time(int fd, const zip_stat_t *status, int64_t *modified_ns)
{
    if (!(status->valid & ZIP_STAT_MTIME) || status->mtime <= 0)
        return;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = status->mtime}};
    futimens(fd, times);
    *modified_ns = (int64_t)status->mtime * 1000000000;
}

/* An entry that cannot be opened is an objection; false when the zip file has to be left. */
static bool open_entry(struct unpacking *unpacking, const zip_stat_t *status, zip_file_t **from,
                       const char **objection)
{
    *from = zip_fopen_index(unpacking->zip, status->index, 0);
    if (*from)
        return true;
    zip_error_t *error = zip_get_error(unpacking->zip);
    int code = zip_error_code_zip(error);
    *objection =
        code == ZIP_ER_COMPNOTSUPP || code == ZIP_ER_ENCRNOTSUPP
            ? "is packed in a way that cannot be unpacked here: pack it as an ordinary zip "
              "file"
            : "is damaged in its zip file: hand it in again";
    return !is_of_machine(error) || stop_by_error(unpacking, error);
}

/* A new file, under the next number that is free. -1 with errno. */
static int create(const struct archive_job *job, enum name_kind kind, struct path *path)
{
    int fd;
    do {
        *path = path_of("%s/%u%s", job->into, (*job->next)++,
                        kind == NAME_SOURCE ? ".cu"
                        : kind == NAME_ZIP  ? ".zip"
                                            : ".yml");
        fd = open(path->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

/* False when the zip file has to be left. */
static bool unpack_entry(struct unpacking *unpacking, enum name_kind kind, const zip_stat_t *status,
                         struct path *path, struct archive_entry *entry, const char **objection)
{
    zip_file_t *from;
    if (!open_entry(unpacking, status, &from, objection))
        return false;
    if (*objection)
        return true;
    int to = create(unpacking->job, kind, path);
    bool go_on =
        to >= 0 ? copy(unpacking, from, to, most_bytes(kind), objection) : stop_by_disk(unpacking);
    zip_fclose(from);
    if (to < 0)
        return go_on;
    set_time(to, status, &entry->modified_ns);
    if (close(to) != 0 && go_on)
        go_on = stop_by_disk(unpacking);
    if (!go_on || *objection)
        unlink(path->text);
    return go_on;
}

static void tell(const struct unpacking *unpacking, struct archive_entry *entry,
                 const char *objection)
{
    if (objection) {
        entry->state = HANDED_IN_BAD;
        entry->problem = objection;
    }
    unpacking->job->tell(unpacking->job->context, entry);
}

/* The last part of the path decides what a file is; a hidden folder hides all that is in it. */
static enum name_kind kind_of_path(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if ((*part == '.' && part[1] != '/') || strncmp(part, "__MACOSX/", 9) == 0)
            return NAME_HIDDEN;
    }
    return name_kind(path_base(name));
}

/* False when the zip file has to be left. */
static bool take_entry(struct unpacking *unpacking, const zip_stat_t *status, const char *name)
{
    struct archive_entry entry = {.name = name, .problem = ""};
    enum name_kind kind = kind_of_path(name);
    bool wanted = kind == NAME_SOURCE || kind == NAME_ZIP || kind == NAME_METADATA;
    const char *objection = objection_to_path(name);
    if (!objection)
        objection = objection_to_type(unpacking->zip, status->index);
    if (!objection && wanted)
        objection = objection_to_entry(unpacking, kind, status);
    if (objection || !wanted) {
        entry.state = HANDED_IN_LEFT_OUT;
        tell(unpacking, &entry, objection);
        return true;
    }
    struct path path;
    bool go_on = unpack_entry(unpacking, kind, status, &path, &entry, &objection);
    entry.path = objection ? NULL : path.text;
    if (go_on)
        tell(unpacking, &entry, objection);
    return go_on;
}

/* Windows programs write the other slash. Folders have names that end in one; they are not told. */
static bool take_index(struct unpacking *unpacking, zip_uint64_t index)
{
    zip_stat_t status;
    zip_stat_init(&status);
    const char *raw = zip_get_name(unpacking->zip, index, ZIP_FL_ENC_GUESS);
    char *name = raw ? strdup(raw) : NULL;
    if (!name || zip_stat_index(unpacking->zip, index, 0, &status) != 0) {
        free(name);
        return stop_by_error(unpacking, zip_get_error(unpacking->zip));
    }
    for (char *at = name; *at; at++)
        if (*at == '\\')
            *at = '/';
    size_t length = strlen(name);
    status.index = index;
    bool go_on = length == 0 || name[length - 1] == '/' || take_entry(unpacking, &status, name);
    free(name);
    return go_on;
}

enum handed_in_state archive_unpack(const struct archive_job *job, char *problem,
                                    size_t problem_bytes)
{
    struct unpacking unpacking = {
        .job = job, .problem = problem, .problem_bytes = problem_bytes, .state = HANDED_IN};
    if (!open_zip(&unpacking))
        return unpacking.state;
    zip_int64_t count = zip_get_num_entries(unpacking.zip, 0);
    bool go_on = true;
    if (count == 0)
        stop(&unpacking, HANDED_IN_BAD, "has no file in it: hand it in again");
    if ((uint64_t)count > job->limits->files)
        go_on = stop(&unpacking, HANDED_IN_BAD,
                     "has more than %llu files in it, so it was not unpacked: hand in only the .cu "
                     "files",
                     (unsigned long long)job->limits->files);
    for (zip_int64_t i = 0; go_on && i < count; i++)
        go_on = take_index(&unpacking, (zip_uint64_t)i);
    zip_discard(unpacking.zip);
    return unpacking.state;
}

#else

enum handed_in_state archive_unpack(const struct archive_job *job, char *problem,
                                    size_t problem_bytes)
{
    (void)job;
    snprintf(problem, problem_bytes,
             "is a zip file, which this grader cannot unpack, since it was built without libzip: "
             "install libzip-dev (Fedora: libzip-devel; Arch: libzip), and run make setup");
    return HANDED_IN_BLOCKED;
}

#endif
