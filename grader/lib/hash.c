/* hash.c - SHA-256, in the words of FIPS 180-4: a schedule of 64 words, 64 rounds a block. */
#include "lib/hash.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* FIPS 180-4, 4.2.2: fractions of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static uint32_t big_endian(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return be32toh(word);
}

/* 6.2.2, step 1: the words of a block's 64 rounds. */
static void make_schedule(uint32_t w[64], const unsigned char *block)
{
    for (int t = 0; t < 16; t++)
        w[t] = big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

/* Step 3, round t: v holds a to h, of which a is v[-t % 8]. So a word stays in place and its letter
 * changes, and with the loop unrolled all eight are in registers. */
static inline __attribute__((always_inline)) void do_round(uint32_t v[8], unsigned t, uint32_t word)
{
#define V(letter) v[((letter)-t) % 8]
    uint32_t s1 = rotated(V(4), 6) ^ rotated(V(4), 11) ^ rotated(V(4), 25);
    uint32_t choice = (V(4) & V(5)) ^ (~V(4) & V(6));
    uint32_t t1 = V(7) + s1 + choice + word;
    uint32_t s0 = rotated(V(0), 2) ^ rotated(V(0), 13) ^ rotated(V(0), 22);
    uint32_t majority = (V(0) & V(1)) ^ (V(0) & V(2)) ^ (V(1) & V(2));
    V(3) += t1;
    V(7) = t1 + s0 + majority;
#undef V
}

/* 6.2.2: one block of 64 bytes. */
static void add_block(struct hash *hash, const unsigned char *block)
{
    uint32_t w[64], v[8];
    make_schedule(w, block);
    memcpy(v, hash->state, sizeof v);
    for (int from = 0; from < 64; from += 8) {
#pragma GCC unroll 8
        for (unsigned t = 0; t < 8; t++)
            do_round(v, t, K[from + t] + w[from + t]);
    }
    for (int i = 0; i < 8; i++)
        hash->state[i] += v[i];
}

void hash_init(struct hash *hash)
{
    static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, START, sizeof START);
}

void hash_add(struct hash *hash, const void *data, size_t bytes)
{
    const unsigned char *from = data;
    size_t used = hash->bytes % sizeof hash->block;
    hash->bytes += bytes;
    while (bytes) {
        size_t part = sizeof hash->block - used;
        part = part < bytes ? part : bytes;
        memcpy(hash->block + used, from, part);
        from += part;
        bytes -= part;
        used += part;
        if (used < sizeof hash->block)
            return;
        add_block(hash, hash->block);
        used = 0;
    }
}

void hash_add_text(struct hash *hash, const char *text)
{
    hash_add(hash, text, strlen(text) + 1);
}

bool hash_add_file(struct hash *hash, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    unsigned char piece[16384];
    size_t bytes;
    while ((bytes = fread(piece, 1, sizeof piece, file)) > 0)
        hash_add(hash, piece, bytes);
    bool read_all = !ferror(file);
    fclose(file);
    return read_all;
}

/* 5.1.1: a one bit, zeros, and the length in bits. */
void hash_text(struct hash *hash, char text[HASH_TEXT])
{
    static const unsigned char PADDING[64] = {0x80};
    uint64_t bits = hash->bytes * 8;
    size_t used = hash->bytes % 64;
    unsigned char length[8];
    hash_add(hash, PADDING, used < 56 ? 56 - used : 120 - used);
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    hash_add(hash, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", hash->state[i]);
}

void hash_two(const char *first, const char *second, char text[HASH_TEXT])
{
    struct hash hash;
    hash_init(&hash);
    hash_add_text(&hash, first);
    hash_add_text(&hash, second);
    hash_text(&hash, text);
}
