/* zip_of.h - zip files for tests, ordinary and hostile ones. Only where libzip is installed. */
#ifndef TESTS_ZIP_OF_H
#define TESTS_ZIP_OF_H

#include "lib/files.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

struct zip_entry {
    const char *name, *data;
    size_t bytes; /* 0: data is a text */
    mode_t mode;  /* S_IFLNK...; 0: a regular file */
    time_t modified;
};

/* The list ends with an entry without a name. */
static inline void zip_of(const char *path, const struct zip_entry *entries)
{
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    ck_assert_ptr_nonnull(zip);
    for (; entries->name; entries++) {
        size_t bytes = entries->bytes ? entries->bytes : strlen(entries->data);
        zip_source_t *source = zip_source_buffer(zip, entries->data, bytes, 0);
        zip_int64_t index = zip_file_add(zip, entries->name, source, ZIP_FL_ENC_UTF_8);
        mode_t mode = entries->mode ? entries->mode : S_IFREG | 0644;
        ck_assert_int_ge(index, 0);
        zip_file_set_external_attributes(zip, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX,
                                         (zip_uint32_t)mode << 16);
        if (entries->modified)
            zip_file_set_mtime(zip, (zip_uint64_t)index, entries->modified, 0);
    }
    ck_assert_int_eq(zip_close(zip), 0);
}

/* Replace bytes wherever they occur in a file by as many others. */
static inline void zip_patch(const char *path, const char *from, const char *to, size_t length)
{
    size_t bytes, changed = 0;
    char *data = file_read(path, 1 << 28, &bytes);
    ck_assert_ptr_nonnull(data);
    for (size_t at = 0; at + length <= bytes; at++)
        if (memcmp(data + at, from, length) == 0) {
            memcpy(data + at, to, length);
            changed++;
        }
    ck_assert_uint_gt(changed, 0);
    ck_assert(file_write(path, data, bytes));
    free(data);
}

/* Say of each entry that it is encrypted: bit 0 of its flags, in both of its headers. */
static inline void zip_encrypt(const char *path)
{
    size_t bytes;
    char *data = file_read(path, 1 << 28, &bytes);
    ck_assert_ptr_nonnull(data);
    for (size_t at = 0; at + 10 <= bytes; at++) {
        if (memcmp(data + at, "PK\3\4", 4) == 0)
            data[at + 6] |= 1;
        if (memcmp(data + at, "PK\1\2", 4) == 0)
            data[at + 8] |= 1;
    }
    ck_assert(file_write(path, data, bytes));
    free(data);
}

#endif
