/* files.c - what can happen to a cache's file: the next process, damage, a full disk, kill -9 and
 * rivals. */
#include "torture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIB = 1 << 20, MOST_KINDS = 32, PATH_BYTES = 512 };

static void must_save(struct lesson6_context *context, const char *path)
{
    cudaError_t error = submission.save(context, path);
    if (error != cudaSuccess)
        fail("lesson6_save returned %s", cudaGetErrorName(error));
}

static void must_load(struct lesson6_context *context, const char *path, const char *when)
{
    cudaError_t error = submission.load(context, path);
    if (error != cudaSuccess)
        fail("lesson6_load returned %s for %s", cudaGetErrorName(error), when);
}

/* A file with these kinds in it, planned in 32 MiB. */
static void save_these(const char *path, const struct kind *kinds, size_t count)
{
    struct room room = room_open(32 * MIB);
    for (size_t i = 0; i < count; i++)
        product_run(room.context, &kinds[i]);
    must_save(room.context, path);
    room_close(&room);
}

/* A file with the first `count` kinds in it. */
static void save_kinds(const char *path, size_t count)
{
    struct kind kinds[MOST_KINDS];
    save_these(path, kinds, kinds_alike(kinds, count));
}

/* --- The next process ------------------------------------------------------------------------- */

void part_next(const char *file)
{
    struct room room = room_open(32 * MIB);
    struct kind kinds[MOST_KINDS], long_sums = kind_long();
    size_t count = kinds_alike(kinds, MOST_KINDS);
    must_load(room.context, file, "the file of the process before");
    for (size_t i = 0; i < count; i++)
        product_known(room.context, &kinds[i], "which was in the file");
    product_known(room.context, &long_sums, "which was in the file");
    room_close(&room);
}

void trial_next(const char *file)
{
    struct room room = room_open(32 * MIB);
    struct kind kinds[MOST_KINDS], long_sums = kind_long();
    size_t count = kinds_alike(kinds, MOST_KINDS);
    for (size_t i = 0; i < count; i++)
        product_run(room.context, &kinds[i]);
    product_run(room.context, &long_sums);
    must_save(room.context, file);
    room_close(&room);
    if (!end_process(start_process("next", file)))
        exit(1);
    remark("%zu kinds, no question in the second process", count + 1);
}

/* What is loaded is added to what is known. And a file written by a context with 32 MiB serves one
 * without workspace, which may ask again: this includes long sums, whose plan wants room. */
void trial_beside(const char *file)
{
    struct kind kinds[MOST_KINDS] = {kind_long()};
    size_t count = 1 + kinds_alike(kinds + 1, MOST_KINDS - 1);
    save_these(file, kinds, count / 2);
    struct room room = room_open(32 * MIB), narrow = room_open(0);
    for (size_t i = count / 2; i < count; i++)
        product_run(room.context, &kinds[i]);
    must_load(room.context, file, "a good file");
    for (size_t i = 0; i < count; i++)
        product_known(room.context, &kinds[i],
                      i < count / 2 ? "which was in the file" : "which was known before loading");
    must_load(narrow.context, file, "a good file, in a context without workspace");
    for (size_t i = 0; i < count; i++)
        product_run(narrow.context, &kinds[i]);
    room_close(&narrow);
    room_close(&room);
    remark("half of %zu kinds known, half loaded", count);
}

/* --- Files that are not to be believed -------------------------------------------------------- */

static unsigned char *read_all(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    unsigned char *all = malloc(MIB);
    *bytes = file && all ? fread(all, 1, MIB, file) : 0;
    if (file)
        fclose(file);
    if (*bytes <= sizeof(struct lesson6_stamp))
        fail("lesson6_save left a file of %zu bytes", *bytes);
    return all;
}

static void write_all(const char *path, const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        fail("%s cannot be written", path);
}

/* The file is refused, and a context that knew kind 0 still knows that and no more: kind 1 is in
 * the file. */
static void must_refuse(const char *path, const char *what)
{
    struct room room = room_open(32 * MIB);
    struct kind kinds[2];
    kinds_alike(kinds, 2);
    product_run(room.context, &kinds[0]);
    cudaError_t error = submission.load(room.context, path);
    if (error != cudaErrorInvalidValue)
        fail("a file with %s: lesson6_load returned %s", what, cudaGetErrorName(error));
    product_known(room.context, &kinds[0], "known before a file was refused");
    unsigned long asked = questions;
    product_run(room.context, &kinds[1]);
    if (questions == asked)
        fail("a file with %s was refused, and its plans were learnt", what);
    room_close(&room);
}

void trial_damage(const char *file)
{
    enum { FLIPS = 24, CUTS = 8 };
    size_t bytes;
    char what[80];
    save_kinds(file, 6);
    unsigned char *good = read_all(file, &bytes);
    struct lesson6_stamp *stamp = (struct lesson6_stamp *)good;
    for (int i = 0; i < FLIPS; i++) {
        size_t at = drawn_below(bytes);
        good[at] ^= (unsigned char)(1 << i % 8);
        write_all(file, good, bytes);
        snprintf(what, sizeof what, "a bit flipped in byte %zu of %zu", at, bytes);
        must_refuse(file, what);
        good[at] ^= (unsigned char)(1 << i % 8);
    }
    for (int i = 0; i < CUTS; i++) {
        size_t left = i ? drawn_below(bytes) : 0;
        write_all(file, good, left);
        snprintf(what, sizeof what, "only %zu of its %zu bytes", left, bytes);
        must_refuse(file, what);
    }
    stamp->library_version++;
    write_all(file, good, bytes);
    must_refuse(file, "another version of the library");
    stamp->library_version--;
    stamp->device[0] ^= 1;
    write_all(file, good, bytes);
    must_refuse(file, "another device");
    unlink(file);
    must_refuse(file, "no bytes, since it is not there");
    free(good);
    remark("%d spoilt files, none believed, none learnt from", FLIPS + CUTS + 3);
}

/* --- Saves that fail -------------------------------------------------------------------------- */

static void must_not_save(struct lesson6_context *context, const char *path, const char *what)
{
    cudaError_t error = submission.save(context, path);
    if (error != cudaErrorUnknown)
        fail("a save to %s returned %s, and the contract says cudaErrorUnknown", what,
             cudaGetErrorName(error));
}

void trial_unwritable(const char *file)
{
    char path[PATH_BYTES];
    struct kind kinds[MOST_KINDS];
    save_kinds(file, 3);
    struct room room = room_open(32 * MIB), next = room_open(32 * MIB);
    size_t count = kinds_alike(kinds, 8);
    for (size_t i = 0; i < count; i++)
        product_run(room.context, &kinds[i]);
    snprintf(path, sizeof path, "%s-none/plans", file);
    must_not_save(room.context, path, "a folder that is not there");
    snprintf(path, sizeof path, "%s-folder", file);
    mkdir(path, 0700);
    must_not_save(room.context, path, "the name of a folder");
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 0; most < 1024; most += 200) { /* a disk that is full after so many bytes */
        struct rlimit before, cut;
        getrlimit(RLIMIT_FSIZE, &before);
        cut = (struct rlimit){most, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &cut);
        cudaError_t error = submission.save(room.context, file);
        setrlimit(RLIMIT_FSIZE, &before);
        if (error != cudaErrorUnknown)
            fail("the disk was full after %ld bytes, and lesson6_save returned %s", (long)most,
                 cudaGetErrorName(error));
        must_load(next.context, file, "the file that was there before a save failed");
    }
    must_save(room.context, file);
    must_load(next.context, file, "a good file");
    product_known(next.context, &kinds[count - 1], "which was in the file");
    room_close(&next);
    room_close(&room);
    remark("no folder, a folder, and six full disks");
}

/* --- Victims and rivals ----------------------------------------------------------------------- */

/* Saves, and saves, and saves: four kinds, then all, then four again. */
static void save_often(const char *file, int times)
{
    struct room few = room_open(32 * MIB), all = room_open(32 * MIB);
    struct kind kinds[MOST_KINDS];
    size_t count = kinds_alike(kinds, MOST_KINDS);
    for (size_t i = 0; i < count; i++) {
        product_run(all.context, &kinds[i]);
        if (i < 4)
            product_run(few.context, &kinds[i]);
    }
    for (int i = 0; i < times; i++) {
        must_save(i % 2 ? few.context : all.context, file);
        if (i == 0) { /* what is waited for before the killing begins */
            char ready[PATH_BYTES];
            snprintf(ready, sizeof ready, "%s-ready", file);
            fclose(fopen(ready, "wb"));
        }
    }
    room_close(&all);
    room_close(&few);
}

void part_saves_for_ever(const char *file)
{
    save_often(file, 1 << 30);
}

void part_saves(const char *file)
{
    save_often(file, 300);
}

static void wait_until_ready(const char *file)
{
    char ready[PATH_BYTES];
    snprintf(ready, sizeof ready, "%s-ready", file);
    for (int i = 0; i < 30000 && access(ready, F_OK) != 0; i++)
        usleep(1000);
    unlink(ready);
}

void trial_killed(const char *file)
{
    enum { VICTIMS = 12 };
    struct kind kinds[1];
    kinds_alike(kinds, 1);
    for (int i = 0; i < VICTIMS; i++) {
        int victim = start_process("saves for ever", file);
        wait_until_ready(file);
        usleep((useconds_t)drawn_below(3000));
        kill(victim, SIGKILL);
        end_process(victim);
        struct room room = room_open(32 * MIB);
        must_load(room.context, file, "the file of a process that was killed while it saved");
        product_known(room.context, &kinds[0], "which was in the file whenever it was saved");
        room_close(&room);
    }
    remark("%d processes killed while they saved", VICTIMS);
}

void trial_rivals(const char *file)
{
    enum { RIVALS = 2, LOADS = 200 };
    struct kind kinds[1];
    int rivals[RIVALS];
    kinds_alike(kinds, 1);
    save_kinds(file, 4);
    for (int i = 0; i < RIVALS; i++)
        rivals[i] = start_process("saves", file);
    wait_until_ready(file);
    for (int i = 0; i < LOADS; i++) {
        struct room room = room_open(0);
        must_load(room.context, file, "the file of two processes that save at once");
        room_close(&room);
    }
    for (int i = 0; i < RIVALS; i++)
        if (!end_process(rivals[i]))
            exit(1);
    struct room room = room_open(32 * MIB);
    must_load(room.context, file, "the file of two processes that have saved at once");
    product_known(room.context, &kinds[0], "which both had saved");
    room_close(&room);
    remark("two processes saved 300 times each, a third one loaded %d times", LOADS);
}
