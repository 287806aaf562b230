/* fatbin.c - reading a fatbin. All numbers are little-endian.
 *
 *     container   0  u32 magic 0xBA55ED50   4 u16 version   6 u16 header bytes (16)
 *                 8  u64 bytes after the header
 *     entry       0  u16 kind: 1 PTX, 2 ELF   4 u32 header bytes   8 u64 payload bytes
 *                16  u32 compressed bytes, 0 if plain   28 u32 arch (80)
 *                40  u64 flags: 0x8000 zstd, 0x2000 LZ4   56 u64 bytes when unpacked
 *
 * Entries follow each other; payloads are padded to 8 bytes.
 */

#include "fatbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { CONTAINER_HEADER = FATBIN_LEAST_BYTES, ENTRY_HEADER = 64, KIND_PTX = 1, KIND_ELF = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
static const uint32_t MAGIC = 0xBA55ED50;
static const size_t MOST_UNPACKED_BYTES = (size_t)1 << 30;

static uint64_t number(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

static bool fail(struct sim_error *error, const char *sentence)
{
    error->code = SIM_BAD_IMAGE;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return false;
}

/* One LZ4 block (github.com/lz4/lz4, lz4_Block_format.md): runs of literals and copies of what
 * was already written. Returns the bytes written, or 0 when the block is damaged. */
static size_t lz4_unpack(const unsigned char *in, size_t in_bytes, unsigned char *out,
                         size_t out_bytes)
{
    const unsigned char *end = in + in_bytes;
    size_t written = 0;
    while (in < end) {
        unsigned token = *in++;
        size_t literals = token >> 4, length = token & 15;
        for (unsigned more = 255; literals >= 15 && more == 255 && in < end; literals += more)
            more = *in++;
        if (literals > (size_t)(end - in) || literals > out_bytes - written)
            return 0;
        memcpy(out + written, in, literals);
        in += literals;
        written += literals;
        if (in == end)
            break; /* the last run has no copy */
        if (end - in < 2)
            return 0;
        size_t back = number(in, 2);
        in += 2;
        for (unsigned more = 255; length >= 15 && more == 255 && in < end; length += more)
            more = *in++;
        length += 4;
        if (back == 0 || back > written || length > out_bytes - written)
            return 0;
        for (size_t i = 0; i < length; i++, written++) /* source and target may overlap */
            out[written] = out[written - back];
    }
    return written;
}

struct entry {
    unsigned kind, arch;
    const unsigned char *payload;
    size_t payload_bytes, compressed_bytes, unpacked_bytes;
    uint64_t flags;
};

/* The payload, unpacked, in memory of its own; NULL when it is damaged. */
static unsigned char *unpack(const struct entry *entry, size_t *size_bytes)
{
    bool packed = entry->flags & (FLAG_LZ4 | FLAG_ZSTD);
    *size_bytes = packed ? entry->unpacked_bytes : entry->payload_bytes;
    size_t stored = entry->compressed_bytes ? entry->compressed_bytes : entry->payload_bytes;
    if (*size_bytes == 0 || *size_bytes > MOST_UNPACKED_BYTES || stored > entry->payload_bytes)
        return NULL;
    unsigned char *bytes = malloc(*size_bytes);
    if (!bytes)
        return NULL;
    size_t got = *size_bytes;
    if (entry->flags & FLAG_ZSTD)
        got = ZSTD_decompress(bytes, *size_bytes, entry->payload, stored);
    else if (entry->flags & FLAG_LZ4)
        got = lz4_unpack(entry->payload, stored, bytes, *size_bytes);
    else
        memcpy(bytes, entry->payload, *size_bytes);
    if (got == *size_bytes)
        return bytes;
    free(bytes);
    return NULL;
}

/* The entry at offset; returns where the next one starts, or 0 when there is none. */
static size_t read_entry(const unsigned char *image, size_t size_bytes, size_t offset,
                         struct entry *entry)
{
    if (size_bytes - offset < ENTRY_HEADER)
        return 0;
    const unsigned char *at = image + offset;
    size_t header = number(at + 4, 4), payload = number(at + 8, 8);
    if (header < ENTRY_HEADER || header > size_bytes - offset ||
        payload > size_bytes - offset - header)
        return 0;
    *entry = (struct entry){.kind = (unsigned)number(at, 2),
                            .arch = (unsigned)number(at + 28, 4),
                            .payload = at + header,
                            .payload_bytes = payload,
                            .compressed_bytes = number(at + 16, 4),
                            .flags = number(at + 40, 8),
                            .unpacked_bytes = number(at + 56, 8)};
    return offset + header + payload;
}

static unsigned apart(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/* Picks from a container the newest PTX that the device can run, and the machine code that is
 * nearest to the device's own: times are modelled for that code. True if it has PTX that is too
 * new. */
static bool pick_entries(const unsigned char *image, size_t size_bytes, unsigned arch,
                         struct entry *ptx, struct entry *elf)
{
    struct entry entry;
    size_t next = number(image + 6, 2);
    size_t end = fatbin_size(image) < size_bytes ? fatbin_size(image) : size_bytes;
    bool too_new = false;
    *ptx = *elf = (struct entry){0};
    while (next < end && (next = read_entry(image, end, next, &entry)) != 0) {
        if (entry.kind == KIND_PTX && entry.arch <= arch &&
            (!ptx->payload || entry.arch > ptx->arch))
            *ptx = entry;
        too_new |= entry.kind == KIND_PTX && entry.arch > arch;
    }
    next = number(image + 6, 2);
    while (next < end && (next = read_entry(image, end, next, &entry)) != 0)
        if (entry.kind == KIND_ELF &&
            (!elf->payload || apart(entry.arch, arch) < apart(elf->arch, arch)))
            *elf = entry;
    return too_new;
}

static bool read_container(const unsigned char *image, size_t size_bytes, unsigned arch,
                           struct fatbin *fatbin, struct sim_error *error)
{
    struct entry ptx, elf;
    bool too_new = pick_entries(image, size_bytes, arch, &ptx, &elf);
    if (!ptx.payload)
        return fail(error, too_new ? "the program's PTX is for a newer GPU than the one simulated;"
                                     " compile with -gencode arch=compute_80,code=compute_80"
                                   : "the program carries no PTX, only machine code; compile with"
                                     " -gencode arch=compute_80,code=compute_80");
    fatbin->ptx = (char *)unpack(&ptx, &fatbin->ptx_bytes);
    fatbin->ptx_arch = ptx.arch;
    if (!fatbin->ptx)
        return fail(error, "the program's PTX is damaged: it does not unpack");
    if (elf.payload)
        fatbin->cubin = unpack(&elf, &fatbin->cubin_bytes);
    return true;
}

static bool has_container(const unsigned char *image, size_t size_bytes, size_t at)
{
    return at < size_bytes && size_bytes - at >= CONTAINER_HEADER && fatbin_size(image + at) > 0;
}

/* Appends a text without the zeros that pad a payload. All pieces together have the size limit of
 * one, since a few bytes may unpack to a large text. */
static bool append_text(struct fatbin *fatbin, const char *text, size_t size_bytes,
                        struct sim_error *error)
{
    size_t text_bytes = strnlen(text, size_bytes);
    if (text_bytes > MOST_UNPACKED_BYTES - fatbin->ptx_bytes)
        return fail(error, "the program's PTX is longer than 1 GiB");
    char *grown = realloc(fatbin->ptx, fatbin->ptx_bytes + text_bytes + 1);
    if (!grown)
        return fail(error, "out of memory");
    memcpy(grown + fatbin->ptx_bytes, text, text_bytes);
    grown[fatbin->ptx_bytes + text_bytes] = '\n';
    fatbin->ptx = grown;
    fatbin->ptx_bytes += text_bytes + 1;
    return true;
}

/* A program compiled in pieces has its linked machine code in the first container, and the PTX of
 * each piece in one of the containers after it. All PTX is read as one text, which ptx/link.c takes
 * apart. */
static bool read_pieces(const unsigned char *image, size_t size_bytes, unsigned arch,
                        struct fatbin *fatbin, struct sim_error *error)
{
    struct entry ptx, elf;
    pick_entries(image, size_bytes, arch, &ptx, &elf);
    if (elf.payload)
        fatbin->cubin = unpack(&elf, &fatbin->cubin_bytes);
    for (size_t at = fatbin_size(image); has_container(image, size_bytes, at);
         at += fatbin_size(image + at)) {
        struct fatbin piece = {0};
        if (!read_container(image + at, size_bytes - at, arch, &piece, error))
            continue; /* a library's, such as cudadevrt: a call of it will be reported */
        bool ok = append_text(fatbin, piece.ptx, piece.ptx_bytes, error);
        fatbin->ptx_arch = piece.ptx_arch;
        fatbin_free(&piece);
        if (!ok)
            return false;
    }
    if (!fatbin->ptx)
        return false;
    *error = (struct sim_error){0};
    return true;
}

size_t fatbin_size(const void *image)
{
    const unsigned char *bytes = image;
    if (number(bytes, 4) != MAGIC)
        return 0;
    uint64_t behind = number(bytes + 8, 8);
    return behind > SIZE_MAX / 2 ? 0 : number(bytes + 6, 2) + behind;
}

bool fatbin_read(const void *image, size_t size_bytes, unsigned arch, struct fatbin *fatbin,
                 struct sim_error *error)
{
    *fatbin = (struct fatbin){0};
    if (size_bytes >= CONTAINER_HEADER && fatbin_size(image))
        return has_container(image, size_bytes, fatbin_size(image))
                   ? read_pieces(image, size_bytes, arch, fatbin, error)
                   : read_container(image, size_bytes, arch, fatbin, error);
    if (size_bytes < 8 || !memmem(image, size_bytes < 4096 ? size_bytes : 4096, ".version", 8))
        return fail(error, "this is neither a fatbin nor PTX text");
    fatbin->ptx = malloc(size_bytes);
    if (!fatbin->ptx)
        return fail(error, "out of memory");
    memcpy(fatbin->ptx, image, size_bytes);
    fatbin->ptx_bytes = size_bytes;
    return true;
}

void fatbin_free(struct fatbin *fatbin)
{
    free(fatbin->ptx);
    free(fatbin->cubin);
    *fatbin = (struct fatbin){0};
}
