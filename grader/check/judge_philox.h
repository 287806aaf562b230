/* judge_philox.h - Philox4x32-10 on the CPU, in the plainest loops: the truth of dropout.
 *
 * Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC'11). It is
 * written independently of the one that learners are given, so that a mistake in either shows;
 * grader/tests/check_philox.c tests it with the known answers of Random123.
 */
#ifndef CHECK_JUDGE_PHILOX_H
#define CHECK_JUDGE_PHILOX_H

#include <stdint.h>

enum { PHILOX_WORDS = 4, PHILOX_KEYS = 2 };

/* The four random words of a counter and a key, in place of the counter. */
static inline void philox4x32_10(uint32_t word[PHILOX_WORDS], const uint32_t key[PHILOX_KEYS])
{
    static const uint32_t MULTIPLIER[2] = {0xD2511F53, 0xCD9E8D57};
    static const uint32_t KEY_STEP[PHILOX_KEYS] = {0x9E3779B9, 0xBB67AE85};
    for (uint32_t round = 0; round < 10; round++) {
        uint64_t product[2];
        for (int half = 0; half < 2; half++)
            product[half] = (uint64_t)MULTIPLIER[half] * word[2 * half];
        for (int half = 0; half < 2; half++) {
            uint32_t round_key = key[half] + round * KEY_STEP[half];
            word[2 * half] = (uint32_t)(product[1 - half] >> 32) ^ word[2 * half + 1] ^ round_key;
        }
        word[1] = (uint32_t)product[1];
        word[3] = (uint32_t)product[0];
    }
}

#endif
