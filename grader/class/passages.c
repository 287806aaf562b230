/* passages.c - see passages.h. */
#include "class/passages.h"

#include "class/tokens.h"

#include <stdlib.h>
#include <string.h>

/* A passage is so many words long; of so many neighbours one is kept. */
enum { WORDS = 12, NEIGHBOURS = 6 };

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static const uint64_t FNV_START = 0xcbf29ce484222325, FNV_PRIME = 0x100000001b3;

static uint64_t hash_of(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * FNV_PRIME;
    return hash;
}

/* Words that a program cannot choose for itself. */
static bool is_reserved(struct token name)
{
    static const char *const RESERVED[] = {
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "extern",
        "float",
        "for",
        "if",
        "int",
        "long",
        "return",
        "short",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "unsigned",
        "void",
        "while",
        "bool",
        "auto",
        "inline",
        "__global__",
        "__device__",
        "__shared__",
        "threadIdx",
        "blockIdx",
        "blockDim",
        "gridDim",
        "__restrict__",
        "__syncthreads",
        "size_t",
        "int64_t",
        "float4",
    };
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
        if (strlen(RESERVED[i]) == name.length && memcmp(RESERVED[i], name.start, name.length) == 0)
            return true;
    return false;
}

static uint64_t word_of(struct token token)
{
    if (token_is_number(token))
        return hash_of("0", 1);
    if (token_is_name(token) && !is_reserved(token))
        return hash_of("name", 4);
    return hash_of(token.start, token.length);
}

/* The end of a line that begins with #, and of those that continue it. */
static const char *end_of_directive(const char *at)
{
    for (; *at && *at != '\n'; at++)
        at += *at == '\\' && at[1] == '\n';
    return at;
}

static size_t read_words(const char *source, uint64_t *words)
{
    size_t count = 0;
    for (struct token token = token_at(source); token.length; token = token_at(source)) {
        bool is_directive = *token.start == '#';
        source = is_directive ? end_of_directive(token.start) : token.start + token.length;
        if (!is_directive)
            words[count++] = word_of(token);
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Of each run of neighbours the smallest. */
static size_t winnow(const uint64_t *hashes, size_t count, uint64_t *kept)
{
    size_t kept_count = 0;
    for (size_t first = 0; first + NEIGHBOURS <= count; first++) {
        uint64_t least = hashes[first];
        for (size_t i = 1; i < NEIGHBOURS; i++)
            least = hashes[first + i] < least ? hashes[first + i] : least;
        if (kept_count == 0 || kept[kept_count - 1] != least)
            kept[kept_count++] = least;
    }
    return kept_count;
}

static size_t sort_once(uint64_t *hashes, size_t count)
{
    size_t once = 0;
    qsort(hashes, count, sizeof *hashes, by_size);
    for (size_t i = 0; i < count; i++)
        if (once == 0 || hashes[once - 1] != hashes[i])
            hashes[once++] = hashes[i];
    return once;
}

bool passages_of(const char *source, struct passages *passages)
{
    size_t most = strlen(source) + 1; /* words: each has a byte at least */
    uint64_t *words = calloc(most, sizeof *words);
    *passages = (struct passages){.hashes = calloc(most, sizeof *words)};
    bool has_room = words && passages->hashes;
    size_t count = has_room ? read_words(source, words) : 0;
    size_t runs = count >= WORDS ? count - WORDS + 1 : 0;
    for (size_t i = 0; i < runs; i++) /* in place: later runs do not need that word */
        words[i] = hash_of(words + i, WORDS * sizeof *words);
    if (has_room)
        passages->count = sort_once(passages->hashes, winnow(words, runs, passages->hashes));
    free(words);
    return has_room;
}

static bool has(const struct passages *passages, uint64_t hash)
{
    return passages->count &&
           bsearch(&hash, passages->hashes, passages->count, sizeof hash, by_size);
}

void passages_remove(struct passages *passages, const struct passages *others)
{
    size_t left = 0;
    for (size_t i = 0; i < passages->count; i++)
        if (!has(others, passages->hashes[i]))
            passages->hashes[left++] = passages->hashes[i];
    passages->count = left;
}

size_t passages_shared(const struct passages *first, const struct passages *second)
{
    size_t shared = 0;
    for (size_t i = 0; i < first->count; i++)
        shared += has(second, first->hashes[i]);
    return shared;
}

void passages_free(struct passages *passages)
{
    free(passages->hashes);
    *passages = (struct passages){0};
}
