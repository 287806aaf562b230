/* alike.h - what the program alike prints, natively and as WebAssembly: alike.sh compares.
 *
 *     alike ptx FILE.test [LINE]    every case of the file; from the one after LINE on
 *     alike replay FOLDER <calls    what a figure asked of its machine; images are in FOLDER
 *
 * A line for each case or answer. In it are prints (hashes) of all counters, all modelled times,
 * all messages, and of every byte that a kernel stored.
 */
#ifndef ALIKE_H
#define ALIKE_H

#include <stddef.h>
#include <stdint.h>

uint64_t print_of(const void *bytes, size_t size);
/* All of a file, a zero byte after it; NULL when it cannot be read. The caller frees. */
char *read_whole(const char *path, size_t *size_bytes);

int alike_ptx(const char *path, unsigned after_line);
int alike_replay(const char *folder);

#endif
