/* mistakes.c - lesson 2: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This verdict, of a case of that launcher. */
static bool failed(const struct judge_evidence *e, enum launcher launcher, enum verdict verdict)
{
    return judge_failed(e, verdict) && e->where->launcher == launcher;
}

/* A timed case of that launcher, refused for that counter. */
static bool slow(const struct judge_evidence *e, enum launcher launcher, enum judge_counter counter,
                 double least, double most)
{
    return failed(e, launcher, VERDICT_SLOW) && judge_slow(e, counter, least, most);
}

/* --- Transpose -------------------------------------------------------------------------------- */

/* More than one tile of 32 x 32. */
static bool transpose_has_tiles(const struct judge_evidence *e)
{
    return e->where->size[TRANSPOSE_ROWS] > 32 || e->where->size[TRANSPOSE_COLS] > 32;
}

/* The bits of a NaN in what is said, quiet as every instruction that calculates makes them. */
static uint32_t quiet_bits(const struct judge_evidence *e, const char *before)
{
    const char *at = e->said ? strstr(e->said, before) : NULL;
    return at ? (uint32_t)strtoul(at + strlen(before), NULL, 16) | 0x400000 : 0;
}

/* A NaN is there that an instruction made of the right one. Where places are wrong, all elements
 * are, and a NaN may be another place's. */
static bool has_changed_nans(const struct judge_evidence *e)
{
    enum { CANONICAL = 0x7FFFFFFF };
    uint32_t got = quiet_bits(e, "got NaN 0x"), want = quiet_bits(e, "want NaN 0x");
    return got && want && (got == want || got == CANONICAL) &&
           (double)e->wrong < 0.25 * (double)e->total;
}

/* Right as long as offsets fit 32 bits, and tiles an axis of the grid. */
JUDGE_SEEN(transpose_offset_in_32_bits,
           e->is_large &&
               (failed(e, TRANSPOSE, VERDICT_OUT_OF_BOUNDS) ||
                (failed(e, TRANSPOSE, VERDICT_WRONG) && !has_changed_nans(e))) &&
               e->where->size[TRANSPOSE_ROWS] * e->where->size[TRANSPOSE_COLS] > INT32_MAX)
/* Among the large cases, or captured at the limits of the contract. */
static bool is_very_long(const struct judge_evidence *e)
{
    return e->is_large || (e->where && e->where->real[0] > 0);
}
JUDGE_SEEN(transpose_axis_too_long, failed(e, TRANSPOSE, VERDICT_LAUNCH_ERROR) && is_very_long(e))
JUDGE_SEEN(transpose_edge_missing, failed(e, TRANSPOSE, VERDICT_WRONG) && e->wrong_is_unwritten)
/* A single tile is right, barrier and all; with more, a block writes what it has not read. */
JUDGE_SEEN(transpose_mirror_forgotten,
           ((failed(e, TRANSPOSE, VERDICT_WRONG) && e->where->data == JUDGE_DATA_UNIFORM) ||
            failed(e, TRANSPOSE, VERDICT_UNINITIALISED)) &&
               transpose_has_tiles(e))
/* Plain numbers were moved to their places in smaller cases. */
JUDGE_SEEN(transpose_calculates, failed(e, TRANSPOSE, VERDICT_WRONG) &&
                                     (e->where->data == JUDGE_DATA_SPECIALS || has_changed_nans(e)))
/* A square larger than a tile was right, and the first case with two different sides is not. */
JUDGE_SEEN(transpose_sides_exchanged,
           failed(e, TRANSPOSE, VERDICT_OUT_OF_BOUNDS) &&
               e->where->size[TRANSPOSE_ROWS] != e->where->size[TRANSPOSE_COLS])
/* A warp reads what its own lanes wrote unmet, or what nobody has written yet. */
JUDGE_SEEN(transpose_barrier_missing, (failed(e, TRANSPOSE, VERDICT_RACE) && e->mends_by_barrier) ||
                                          failed(e, TRANSPOSE, VERDICT_UNINITIALISED))
JUDGE_SEEN(transpose_barrier_in_branch, failed(e, TRANSPOSE, VERDICT_BARRIER))
JUDGE_SEEN(transpose_load_strided, slow(e, TRANSPOSE, JUDGE_LOAD_EFFICIENCY, 0, 0.5) &&
                                       e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95)
JUDGE_SEEN(transpose_not_exchanged, slow(e, TRANSPOSE, JUDGE_STORE_EFFICIENCY, 0, 0.5) &&
                                        e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 &&
                                        e->kernel.shared_requests > 0)
JUDGE_SEEN(transpose_store_strided, slow(e, TRANSPOSE, JUDGE_STORE_EFFICIENCY, 0, 0.5) &&
                                        e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 &&
                                        e->kernel.shared_requests == 0)
JUDGE_SEEN(transpose_tile_unpadded, slow(e, TRANSPOSE, JUDGE_WAVEFRONT_RATIO, 4, INFINITY))

/* --- Product ---------------------------------------------------------------------------------- */

static bool sgemm_is_past_an_int(const struct judge_case *problem)
{
    return judge_is_past_an_int(problem->size[SGEMM_M], problem->size[SGEMM_N],
                                problem->size[SGEMM_K]);
}

/* A wrong index would find another number, which is subnormal as well. */
static bool is_flushed(const struct judge_evidence *e)
{
    return e->got == 0 && e->want != 0 && fabs(e->want) < FLT_MIN && !e->wrong_is_unwritten;
}

JUDGE_SEEN(sgemm_offset_in_32_bits,
           e->is_large &&
               (failed(e, SGEMM, VERDICT_OUT_OF_BOUNDS) ||
                (failed(e, SGEMM, VERDICT_WRONG) && !is_flushed(e) && !judge_is_near(e))) &&
               sgemm_is_past_an_int(e->where))
JUDGE_SEEN(sgemm_axis_too_long, failed(e, SGEMM, VERDICT_LAUNCH_ERROR) && is_very_long(e))
JUDGE_SEEN(sgemm_axes_exchanged, slow(e, SGEMM, JUDGE_LOAD_EFFICIENCY, 0, 0.5) &&
                                     e->counter[JUDGE_LOAD_BYTES_RATIO] > 8 &&
                                     e->kernel.shared_requests == 0)
JUDGE_SEEN(sgemm_tile_by_columns, slow(e, SGEMM, JUDGE_LOAD_EFFICIENCY, 0, 0.9) &&
                                      e->kernel.shared_requests > 0 &&
                                      e->counter[JUDGE_LOAD_BYTES_RATIO] < 2)
JUDGE_SEEN(sgemm_one_of_two,
           slow(e, SGEMM, JUDGE_LOAD_BYTES_RATIO, 12, 20) && e->kernel.shared_requests > 0)
JUDGE_SEEN(sgemm_no_reuse,
           slow(e, SGEMM, JUDGE_LOAD_BYTES_RATIO, 20, INFINITY) && e->kernel.shared_requests == 0)
JUDGE_SEEN(sgemm_small_tile,
           slow(e, SGEMM, JUDGE_LOAD_BYTES_RATIO, 1.1, 12) && e->kernel.shared_requests > 0)
JUDGE_SEEN(sgemm_bank_conflict, slow(e, SGEMM, JUDGE_WAVEFRONT_RATIO, 1.05, INFINITY))
JUDGE_SEEN(sgemm_few_blocks, failed(e, SGEMM, VERDICT_SLOW) && judge_late(e) &&
                                 e->kernel.local_requests == 0 &&
                                 e->kernel.blocks < e->kernel.multiprocessors)
JUDGE_SEEN(sgemm_barrier_missing, failed(e, SGEMM, VERDICT_RACE) && e->mends_by_barrier)
JUDGE_SEEN(sgemm_barrier_in_branch, failed(e, SGEMM, VERDICT_BARRIER))
JUDGE_SEEN(sgemm_unwritten_read, failed(e, SGEMM, VERDICT_UNINITIALISED))
JUDGE_SEEN(sgemm_float4_anyway, failed(e, SGEMM, VERDICT_MISALIGNED))
JUDGE_SEEN(sgemm_no_bounds_check, failed(e, SGEMM, VERDICT_OUT_OF_BOUNDS) &&
                                      e->where->size[SGEMM_M] * e->where->size[SGEMM_N] == 1)
JUDGE_SEEN(sgemm_row_length, failed(e, SGEMM, VERDICT_OUT_OF_BOUNDS))
JUDGE_SEEN(sgemm_zeros_unwritten, failed(e, SGEMM, VERDICT_WRONG) && e->where->size[SGEMM_K] == 0)
JUDGE_SEEN(sgemm_grid_exchanged, failed(e, SGEMM, VERDICT_WRONG) && e->wrong_is_unwritten &&
                                     e->where->size[SGEMM_M] != e->where->size[SGEMM_N])
/* All of k is less than a tile, and none of it was added, to any element. */
JUDGE_SEEN(sgemm_rest_of_k_missing, failed(e, SGEMM, VERDICT_WRONG) && e->got == 0 &&
                                        isfinite(e->want) && e->where->size[SGEMM_K] < 32 &&
                                        (double)e->wrong > 0.9 * (double)e->total)
JUDGE_SEEN(sgemm_edge_repeated, failed(e, SGEMM, VERDICT_WRONG) && isnan(e->got) && isinf(e->want))
JUDGE_SEEN(sgemm_zeros_skipped, failed(e, SGEMM, VERDICT_WRONG) && isnan(e->want) && !isnan(e->got))
/* Few products of one factor each are lost. */
static bool loses_single_products(const struct judge_evidence *e)
{
    bool is_lost = e->got == 0 && isfinite(e->want) && e->want != 0;
    bool meets_infinity = isnan(e->got) && isinf(e->want) && e->zeros > 0; /* others are lost */
    return e->where->size[SGEMM_K] == 1 && (is_lost || meets_infinity) &&
           (double)e->wrong < 0.5 * (double)e->total;
}

/* No more is lost than what is subnormal, in each step of the sum. A factor that is lost and is
 * multiplied by a large one is more: then the first sum is subnormal itself, or there is one
 * product alone, and few of those are lost. */
JUDGE_SEEN(sgemm_subnormals_flushed,
           failed(e, SGEMM, VERDICT_WRONG) && !e->wrong_is_unwritten &&
               ((e->largest_error < 2 * FLT_MIN * (double)e->where->size[SGEMM_K] &&
                 (e->got == 0 || !judge_has_tiny_products(e->where))) ||
                (e->got == 0 && e->want != 0 && fabs(e->want) < FLT_MIN) ||
                loses_single_products(e)))
/* Of a sum of k terms of either sign, which is about as large as the root of k. */
JUDGE_SEEN(sgemm_narrow_inputs,
           failed(e, SGEMM, VERDICT_WRONG) && e->where->data != JUDGE_DATA_TINY &&
               e->largest_error < 0x1p-8 * fmax(4, sqrt((double)e->where->size[SGEMM_K])))

/* --- What to say of them ---------------------------------------------------------------------- */
JUDGE_SEEN(sgemm_order_not_fixed, e->changes_between_runs)

/* The first one that is seen counts: the more special stand before the more general. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"transpose_offset_in_32_bits", transpose_offset_in_32_bits,
     "Sides fit an int, their product does not: from 2^31 elements on, row * cols + col is "
     "negative as an int, and as an unsigned it begins again at 2^32. Multiply in 64 bits, "
     "and widen before that, not after: (int64_t)row * cols + col."},
    {"transpose_axis_too_long", transpose_axis_too_long,
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. A side of 1,000,000 "
     "is more tiles than that unless a tile is large, or x has them all. Or is a size refused "
     "that the contract allows?"},
    {"transpose_edge_missing", transpose_edge_missing,
     "Elements were never written. The grid must be rounded up, and each thread of the "
     "last tiles must ask whether its element exists: once when it reads, and once more, "
     "with the sides exchanged, when it writes."},
    {"transpose_mirror_forgotten", transpose_mirror_forgotten,
     "The block that has read the tile at (x, y) of in writes the tile at (y, x) of out: for "
     "the store, blockIdx.x and blockIdx.y change places, and threadIdx.x still runs along the "
     "row. The guard asks about the row and column that are written: out has cols rows."},
    {"transpose_calculates", transpose_calculates,
     "Plain numbers arrive, and special ones do not: a NaN, an infinity, -0 or a number below "
     "2^-126 is changed on the way. Bits are moved as they are: nothing is added, multiplied, "
     "compared or converted."},
    {"transpose_sides_exchanged", transpose_sides_exchanged,
     "An index leaves its array where the sides differ: a row of out is as long as in is high, "
     "out[column][row] lies at column * rows + row, and the guard of the store asks for the row "
     "and the column that are written."},
    {"transpose_barrier_missing", transpose_barrier_missing,
     "A place of the tile is used while, or before, it is written. Between what is put in "
     "and what is taken out, all threads that share it must meet, at __syncthreads(), or at "
     "__syncwarp() where they are of one warp; and a cp.async must be waited for before that."},
    {"transpose_barrier_in_branch", transpose_barrier_in_branch,
     "A thread that has nothing to read may have something to write, and all threads of the "
     "block must come to __syncthreads(): do not return early. Put a guard on the load, and "
     "another one on the store."},
    {"transpose_load_strided", transpose_load_strided,
     "Stores are coalesced and loads are not: exchanging the axes only moves the strided side. "
     "Read a tile by rows into shared memory, meet, and write it out by rows, too."},
    {"transpose_not_exchanged", transpose_not_exchanged,
     "The tile goes through shared memory, but stores touch twice the sectors that they "
     "need, or more, as where neighbouring lanes take words out of it, but still store "
     "them a row of out apart. Let threadIdx.x run along a row of out, and let each thread "
     "take what belongs there: of a tile that was filled at [threadIdx.y][threadIdx.x], the "
     "word at [threadIdx.x][threadIdx.y], which another thread has put in."},
    {"transpose_store_strided", transpose_store_strided,
     "Loads are coalesced and stores are not, as where neighbouring lanes write "
     "addresses a whole row apart. Read a tile by rows, and let the lanes exchange it "
     "through shared memory."},
    {"transpose_tile_unpadded", transpose_tile_unpadded,
     "Lanes of a warp use few banks, as where they read or write a column of a tile "
     "whose rows are a multiple of 32 words, or nearly. Make the rows one word longer."},
    {"sgemm_offset_in_32_bits", sgemm_offset_in_32_bits,
     "m, n and k fit an int, m * k, k * n and m * n need not: from 2^31 elements on, an "
     "offset that is an int is negative, and an unsigned one begins again at 2^32. Multiply "
     "in 64 bits, and widen before that, not after: (int64_t)row * k + i."},
    {"sgemm_axis_too_long", sgemm_axis_too_long,
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. A side of 1,000,000 "
     "is more tiles than that unless a tile is large, or x has them all. Or is a size refused "
     "that the contract allows?"},
    {"sgemm_axes_exchanged", sgemm_axes_exchanged,
     "Loads touch twice the sectors that they need, or more, and no shared memory is "
     "used, as where neighbouring threads, those whose threadIdx.x differs by one, take "
     "neighbouring rows of C, and so read A, and write C, a whole row apart, or neighbouring "
     "terms of a sum, and so read B a whole row apart. Let threadIdx.x run along a row of C."},
    {"sgemm_tile_by_columns", sgemm_tile_by_columns,
     "About as many bytes are loaded as a tile of 32 x 32 asks for, but from more "
     "sectors than they need, as where neighbouring threads fetch elements of "
     "neighbouring rows. threadIdx.x must run along the row that is read, whatever place "
     "in the tile it goes to."},
    {"sgemm_one_of_two", sgemm_one_of_two,
     "Shared memory is used, and yet about one factor is loaded from global memory for "
     "each product, as where one of the two matrices goes through shared memory and the "
     "other does not. A tile of 32 x 32 loads one for every 16 products."},
    {"sgemm_no_reuse", sgemm_no_reuse,
     "No shared memory is used, and more than one factor is loaded for each product, "
     "though many threads of a block ask for the same element of A, or of B. Fetch each "
     "once into shared memory, or let a thread keep a few sums, so that each factor "
     "serves several products."},
    {"sgemm_small_tile", sgemm_small_tile,
     "A tile of side T lets each fetched element serve T products, and yours serve fewer "
     "than 32 on average. Take 32 x 32, or let a thread compute more than one element."},
    {"sgemm_bank_conflict", sgemm_bank_conflict,
     "Lanes of a warp touch words of shared memory that lie in one bank, so they take turns: "
     "banks repeat every 32 words. Either let neighbouring lanes touch neighbouring words, or "
     "make the rows of the tile one word longer."},
    {"sgemm_few_blocks", sgemm_few_blocks,
     "The grid has fewer blocks than the device has multiprocessors: the others are idle. "
     "More blocks, each with a smaller piece of C."},
    {"sgemm_barrier_missing", sgemm_barrier_missing,
     "A place is written while it is used. Two meetings belong to every tile: one after all "
     "have written it, before anyone reads it; one after all have read it, before anyone "
     "writes the next. And what cp.async copies is there only once it was waited for, in "
     "the last turn, too."},
    {"sgemm_barrier_in_branch", sgemm_barrier_in_branch,
     "All threads of a block must come to each __syncthreads(). One whose element of C "
     "does not exist must still help to fetch the tiles: let it not return early, and "
     "ask again when it stores."},
    {"sgemm_unwritten_read", sgemm_unwritten_read,
     "You read what was never written, such as a place of the tile that lies outside "
     "the matrix and was not set to 0, or that a thread was to fill which had "
     "returned before; or C itself, which holds nothing yet."},
    {"sgemm_float4_anyway", sgemm_float4_anyway,
     "A float4 must lie at a multiple of 16 bytes, a float2 of 8. The contract promises "
     "4, and a row whose length is no multiple of 4 starts anywhere."},
    {"sgemm_no_bounds_check", sgemm_no_bounds_check,
     "Tiles hang over the edges of the matrices. Ask before each load whether the element "
     "exists, and take 0 if it does not; ask before the store as well."},
    {"sgemm_row_length", sgemm_row_length,
     "Square matrices forgive what others do not: a row of A is k long, a row of B and of "
     "C is n long. And a condition on the wrong side lets the wrong elements through."},
    {"sgemm_zeros_unwritten", sgemm_zeros_unwritten,
     "With k = 0 there is nothing to add, and C is written all the same: a sum of "
     "nothing is 0."},
    {"sgemm_grid_exchanged", sgemm_grid_exchanged,
     "Part of C was never written, where its sides differ. Where blockIdx.x counts tiles "
     "along a row, the grid's x is n divided by the tile's side, rounded up, and its y "
     "the same of m. Square matrices do not tell them apart."},
    {"sgemm_subnormals_flushed", sgemm_subnormals_flushed,
     "Numbers below 2^-126 are subnormal, and yours are lost. They are set to 0 by "
     "instructions with .ftz and by -ftz=true, as factors, as products and as sums, or by a "
     "comparison with a number that seemed small enough. The contract wants them kept."},
    {"sgemm_rest_of_k_missing", sgemm_rest_of_k_missing,
     "C is 0, though there are products to add: is the last tile along k left out where "
     "k is no multiple of its side? Let the loop run while first < k, and fill with 0 "
     "what lies outside."},
    {"sgemm_edge_repeated", sgemm_edge_repeated,
     "An infinity has become NaN. 0 times infinity is one: of a place of the tiles that "
     "lies outside, both factors must be 0, not one of them. Infinity minus infinity is another, "
     "as where what a sum has lost is computed from a sum that has become infinite."},
    {"sgemm_zeros_skipped", sgemm_zeros_skipped,
     "A NaN did not arrive. 0 * NaN is NaN and 0 * infinity is NaN: leaving products out, "
     "one by one or a tile at a time, changes the sum."},
    {"sgemm_narrow_inputs", sgemm_narrow_inputs,
     "The results are close, but not as close as FP32 is, as where the factors go "
     "through a narrower type, such as FP16 or TF32, or where little of a long sum is "
     "left out."},
    {"sgemm_order_not_fixed", sgemm_order_not_fixed,
     "Two calls on the same input gave different bits. A sum of floats rounds differently in each "
     "order, and atomics, or blocks that take work as they come, have no order of their own. Let "
     "each part of a sum have a place, and add the places in an order that the sides alone give."},
};

const struct judge_mistakes TILING_MISTAKES = JUDGE_ROWS(MISTAKES);
