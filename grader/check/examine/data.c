/* data.c - fills inputs: uniform, of any scale, subnormal, uniform with special values planted or
 * zeros in whole tiles, or small integers. */
#include "check/examine/data.h"

#include <math.h>
#include <string.h>

/* The largest float is the last. The NaN has bits that arithmetic would not keep. */
static float special_of(uint64_t kind)
{
    static const float SPECIALS[] = {__builtin_nanf("0x25A5A5"),
                                     INFINITY,
                                     -INFINITY,
                                     -0.0f,
                                     0.0f,
                                     0x1p-149f,
                                     -0x1p-130f,
                                     0x1.fffffep127f};
    return SPECIALS[kind % (sizeof SPECIALS / sizeof *SPECIALS)];
}

/* NaN and infinities in a matrix: one element in this many, a power of two. */
enum { OF_MATRIX = 1 << 12, OF_FAINT_MATRIX = 1 << 14 };

/* One element in eight is special, a different one in each buffer. */
static float special(uint64_t word)
{
    return (word & 7) == 0 ? special_of(word >> 3) : data_uniform(word);
}

/* One special element in 64 for an array; in this many for a matrix, whose elements are part of
 * many sums. */
static float sparse_special(const struct judge_buffer *buffer, uint64_t of_matrix, uint64_t word)
{
    uint64_t of = buffer->columns ? of_matrix : 64;
    if ((word & (of - 1)) == 0) /* no division: one for each element is what filling takes */
        return special_of((word >> 12) % 3);
    return (word >> 18 & 0x3F) == 0 ? special_of(3 + (word >> 24) % 2) : data_uniform(word);
}

static float wide(uint64_t word)
{
    return ldexpf(data_uniform(word), (int)(word & 0x7F) - 64);
}

/* One element in 64 is subnormal in all inputs. So is their sum, which a flush to zero loses. */
static bool is_subnormal_in_all(uint64_t i)
{
    return (data_word(0, i) & 63) == 0;
}

/* Special values have no scale. */
static float sparse_wide(const struct judge_buffer *buffer, uint64_t i, uint64_t word)
{
    if (is_subnormal_in_all(i))
        return 0x1p-126f * data_uniform(word);
    float value = sparse_special(buffer, OF_MATRIX, word);
    bool is_plain = isfinite(value) && value != 0;
    return is_plain && word >> 32 & 1 && word >> 33 & 1 ? wide(word) : value;
}

/* By masks, since its branches would be guessed wrong one time in eight. */
static inline float any_bits(uint64_t word)
{
    uint32_t bits = (uint32_t)(word >> 32), kind = word & 7;
    uint32_t to_nan = -(uint32_t)(kind == 0), to_subnormal = -(uint32_t)(kind == 1);
    uint32_t is_special = (bits & 0x7F800000) == 0x7F800000;
    float value;
    bits ^= (is_special & (kind > 1)) << 23;
    bits = (bits | (to_nan & 0x7F800001)) & ~(to_subnormal & 0x7F800000);
    bits ^= (uint32_t)(bits == (bits & 0xFF) * 0x01010101) << 1;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float data_any_bits(uint64_t word)
{
    return any_bits(word);
}

static float positive(uint64_t word)
{
    float value = 0x1p-24f * (float)((word >> 40) + 1);
    return word & 63 ? 0x1p-40f * value : value;
}

static float drawn(const struct judge_buffer *buffer, uint32_t data, uint64_t i, uint64_t word)
{
    switch ((enum judge_data)data) {
    case JUDGE_DATA_SPARSE_SPECIALS: return sparse_special(buffer, OF_MATRIX, word);
    case JUDGE_DATA_SPECIALS: return special(word);
    case JUDGE_DATA_INTEGERS: return data_small_integer(word);
    case JUDGE_DATA_SIXTEENTHS: return (float)((int)(word % 33) - 16) / 16;
    case JUDGE_DATA_FAR: return 16 * data_uniform(word);
    case JUDGE_DATA_TINY: return 0x1p-64f * data_uniform(word);
    case JUDGE_DATA_SUBNORMAL: return 0x1p-126f * data_uniform(word);
    case JUDGE_DATA_WIDE: return wide(word);
    case JUDGE_DATA_SPARSE_WIDE: return sparse_wide(buffer, i, word);
    case JUDGE_DATA_BITS: return data_any_bits(word);
    case JUDGE_DATA_POSITIVE: return positive(word);
    case JUDGE_DATA_SCALED: /* element's */
    case JUDGE_DATA_COMES_BACK:
    case JUDGE_DATA_PICKS_FIRST:
    case JUDGE_DATA_PICKS_SECOND:
    case JUDGE_DATA_FAINT_FIRST:
    case JUDGE_DATA_FAINT_SECOND:
    case JUDGE_DATA_ENDS:
    case JUDGE_DATA_UNIFORM:
    case JUDGE_DATA_FEW_SPECIALS:
    case JUDGE_DATA_ZEROS_IN_FIRST:
    case JUDGE_DATA_ZEROS_IN_SECOND:
    case JUDGE_DATA_INFINITE_FIRST:
    case JUDGE_DATA_INFINITE_SECOND:
    case JUDGE_DATA_LATE_NAN: break;
    }
    return data_uniform(word);
}

/* --- Zeros in groups -------------------------------------------------------------------------- */

static bool has_zeros(uint32_t data)
{
    return data == JUDGE_DATA_ZEROS_IN_FIRST || data == JUDGE_DATA_ZEROS_IN_SECOND;
}

/* Element i of a buffer, in data that has zeros in one of its inputs. */
static float beside_zeros(const struct judge_buffer *buffer, uint32_t data, size_t index,
                          uint64_t i, uint64_t word)
{
    uint64_t columns = buffer->columns;
    if (index != data - JUDGE_DATA_ZEROS_IN_FIRST)
        return (word & 0xFF) == 0 ? special_of((word >> 8) % 3) : data_uniform(word);
    if (columns ? i / columns < JUDGE_ZERO_SIDE || i % columns < JUDGE_ZERO_SIDE : i < JUDGE_ZEROS)
        return columns || i >= JUDGE_ZEROS / 2 ? 0.0f : -0.0f;
    return data_uniform(word);
}

/* --- Infinities in a slope -------------------------------------------------------------------- */

/* Is element i the special one of its row, or of its column? */
static bool is_on_slope(const struct judge_buffer *buffer, uint32_t data, size_t index, uint64_t i)
{
    uint64_t columns = buffer->columns, row = columns ? i / columns : 0;
    uint64_t column = columns ? i % columns : 0, rows = columns ? buffer->count / columns : 0;
    if (columns && data == JUDGE_DATA_INFINITE_FIRST && index == 0)
        return column == columns - 1 - row % columns;
    return columns && data == JUDGE_DATA_INFINITE_SECOND && index == 1 &&
           row == rows - 1 - column % rows;
}

/* --- What is planted for every seed ----------------------------------------------------------- */

/* How many kinds of specials data of that sort always has; 0 for none. */
static uint64_t kinds_of(uint32_t data)
{
    return data == JUDGE_DATA_SPECIALS ? 8 : data == JUDGE_DATA_FEW_SPECIALS ? 7 : 0;
}

/* a times b in the field of eight elements, where x^3 = x + 1. */
static uint64_t field_product(uint64_t a, uint64_t b)
{
    uint64_t product = (b & 1 ? a : 0) ^ (b & 2 ? a << 1 : 0) ^ (b & 4 ? a << 2 : 0);
    product ^= product & 16 ? 22 : 0;
    return product ^ (product & 8 ? 11 : 0);
}

/* Is this one of the places at which kinds of specials meet in inputs of one row? In any two of
 * eight inputs every kind meets every other: their kinds form orthogonal Latin squares (Bose,
 * 1938). Random placement would leave out a pair, such as a zero and a NaN, in one check out of
 * many. */
static bool is_meeting(const struct judge_buffer *buffer, size_t index, uint64_t i, uint64_t *kind)
{
    enum { KINDS = 8, PAIRS = KINDS * KINDS };
    bool is_row = buffer->columns == 0 || buffer->columns == buffer->count;
    if (!is_row || buffer->count < 2 * PAIRS)
        return false;
    uint64_t apart = (buffer->count - KINDS) / PAIRS, pair = i / apart;
    *kind = pair / KINDS ^ field_product(index % KINDS, pair % KINDS);
    return i % apart == 0 && pair < PAIRS;
}

/* The special that element i of a buffer must be; false when it is drawn. Each kind has a random
 * place in its own stretch. The last elements contain one of each kind, in a different order in
 * each buffer, so that a NaN does not meet a NaN; with few kinds, they contain one infinity or NaN.
 * With many kinds, each is in the last column as well. */
static bool is_planted(const struct judge_buffer *buffer, uint32_t data, size_t index, uint64_t i,
                       uint64_t seed, float *value)
{
    bool few = data == JUDGE_DATA_FEW_SPECIALS;
    uint64_t kinds = kinds_of(data), at_end = few ? 1 : kinds;
    uint64_t stretch = kinds ? buffer->count / kinds : 0, left = buffer->count - i;
    uint64_t columns = buffer->columns > 1 ? buffer->columns : 0;
    uint64_t kind = kinds, met;
    if (kinds == 0)
        return false;
    if (stretch && i / stretch < kinds && i % stretch == data_word(~seed, i / stretch) % stretch)
        kind = i / stretch;
    if (!few && is_meeting(buffer, index, i, &met))
        kind = met;
    if (columns && !few && i % columns == columns - 1)
        kind = (i / columns + index) % (2 * kinds);
    if (left <= at_end)
        kind = few ? (index + 1) % 2 : (left - 1 + 3 * index) % kinds;
    *value = special_of(kind);
    return kind < kinds;
}

/* From 2^-50 to 2^50: a scale for each row of the first input, and one for any other input as a
 * whole. */
static float scaled(const struct judge_buffer *buffer, size_t index, uint64_t i, uint64_t seed)
{
    uint64_t row = buffer->columns && index == 0 ? i / buffer->columns : 0;
    int exponent = (int)(data_word(~seed, row) % 101) - 50;
    return ldexpf(data_uniform(data_word(seed, i)), exponent);
}

static bool is_faint(uint32_t data)
{
    return data == JUDGE_DATA_FAINT_FIRST || data == JUDGE_DATA_FAINT_SECOND;
}

/* 2^-130 times a multiple of 2^-23, rounded to nearest even, as a multiplication gives it: but a
 * processor takes a hundred cycles for a product that is subnormal. */
static float subnormal(float value)
{
    float result;
    if (!isfinite(value))
        return value;
    uint32_t sixteenths = (uint32_t)(0x1p23f * fabsf(value)), left = sixteenths & 15;
    uint32_t bits = sixteenths >> 4;
    bits += left > 8 || (left == 8 && bits & 1);
    memcpy(&result, &bits, sizeof result);
    return copysignf(result, value);
}

static float faint(const struct judge_buffer *buffer, uint32_t data, size_t index, uint64_t word)
{
    float value = sparse_special(buffer, OF_FAINT_MATRIX, word);
    return index == (data == JUDGE_DATA_FAINT_FIRST) ? value : subnormal(value);
}

static bool is_at_an_end(const struct judge_buffer *buffer, uint64_t i)
{
    uint64_t row = buffer->columns ? buffer->columns : buffer->count, at = i % row;
    return at < JUDGE_ENDS || row - at <= JUDGE_ENDS;
}

/* How far a place is from the nearer end of its row, or column; and is it past the middle? */
static uint64_t from_end(uint64_t place, uint64_t length, bool *is_past)
{
    *is_past = place >= length - length / 2;
    return *is_past ? length - 1 - place : place;
}

/* Is that the factor of which each row, or column, has a single 1? */
static bool picks(const struct judge_buffer *buffer, uint32_t data, size_t index)
{
    return buffer->columns && (data == JUDGE_DATA_PICKS_FIRST || data == JUDGE_DATA_PICKS_SECOND) &&
           index == data - JUDGE_DATA_PICKS_FIRST;
}

/* The element that is 1 in row number line of the first factor, or in that column of the other. */
static uint64_t picked(const struct judge_buffer *buffer, size_t index, uint64_t line,
                       uint64_t seed)
{
    uint64_t columns = buffer->columns, word = data_word(~seed, line);
    return index == 0 ? line * columns + word % columns
                      : word % (buffer->count / columns) * columns + line;
}

static bool is_picked(const struct judge_buffer *buffer, size_t index, uint64_t i, uint64_t seed)
{
    uint64_t line = index == 0 ? i / buffer->columns : i % buffer->columns;
    return picked(buffer, index, line, seed) == i;
}

static void fill_picks(float *input, const struct judge_buffer *buffer, size_t index,
                       uint64_t first, uint64_t end, uint64_t seed)
{
    uint64_t columns = buffer->columns, line = index == 0 ? first / columns : 0;
    uint64_t lines = index == 0 ? (end + columns - 1) / columns : columns;
    memset(input + first, 0, (end - first) * sizeof *input);
    for (; line < lines; line++) {
        uint64_t at = picked(buffer, index, line, seed);
        if (first <= at && at < end)
            input[at] = 1;
    }
}

static float comes_back(const struct judge_buffer *buffer, size_t index, uint64_t i, uint64_t seed)
{
    uint64_t columns = buffer->columns, rows = columns ? buffer->count / columns : 0;
    bool is_past = false;
    if (!columns || index > 1)
        return data_small_integer(data_word(seed, i));
    uint64_t row = i / columns, column = i % columns, chance = data_word(~seed, i) % 64;
    uint64_t at = index == 0 ? row * columns + from_end(column, columns, &is_past)
                             : from_end(row, rows, &is_past) * columns + column;
    float value = (float)(2 + data_word(seed, at) % 7);
    if (index == 1)
        return value;
    if (is_past)
        value = (chance == 0 ? 1.0f : chance == 1 ? -1.0f : 0.0f) - value;
    return row / JUDGE_ROWS_ALIKE % 2 ? value : -value;
}

/* Element i of the first input: infinite, or the NaN of its row. */
static float late_nan(const struct judge_buffer *buffer, uint64_t i, uint64_t seed)
{
    uint64_t columns = buffer->columns ? buffer->columns : buffer->count;
    uint64_t row = i / columns, from_end = data_word(~seed, row) % (columns / 2 + 1);
    if (row % 2 == 0 && i % columns == columns - 1 - from_end)
        return NAN;
    return data_word(seed, i) & 1 ? INFINITY : -INFINITY;
}

static float element(const struct judge_buffer *buffer, uint32_t data, size_t index, uint64_t i,
                     uint64_t seed)
{
    float value;
    if (has_zeros(data))
        return beside_zeros(buffer, data, index, i, data_word(seed, i));
    if (data == JUDGE_DATA_ENDS && !is_at_an_end(buffer, i))
        return 0;
    if (is_on_slope(buffer, data, index, i))
        return data_word(seed, i) & 1 ? INFINITY : -INFINITY;
    if (picks(buffer, data, index))
        return is_picked(buffer, index, i, seed);
    if (data == JUDGE_DATA_COMES_BACK)
        return comes_back(buffer, index, i, seed);
    if (data == JUDGE_DATA_LATE_NAN && index == 0)
        return late_nan(buffer, i, seed);
    if (data == JUDGE_DATA_SCALED)
        return scaled(buffer, index, i, seed);
    if (is_faint(data))
        return faint(buffer, data, index, data_word(seed, i));
    bool planted = is_planted(buffer, data, index, i, seed, &value);
    return planted ? value : drawn(buffer, data, i, data_word(seed, i));
}

/* An input of floats, of which several processors fill a part each. */
struct filling {
    float *input;
    const struct judge_buffer *buffer;
    uint32_t data;
    size_t index;
    uint64_t seed;
};

/* What element() gives, where a buffer is large: most data of large ones have loops of their own,
 * with few branches or none. */
static void fill_from(void *context, uint64_t first, uint64_t end)
{
    const struct filling *of = context;
    const struct judge_buffer *buffer = of->buffer;
    float *input = of->input;
    uint64_t seed = of->seed;
    switch (of->data) {
    case JUDGE_DATA_UNIFORM:
        for (uint64_t i = first; i < end; i++)
            input[i] = data_uniform(data_word(seed, i));
        break;
    case JUDGE_DATA_INTEGERS:
        for (uint64_t i = first; i < end; i++)
            input[i] = data_small_integer(data_word(seed, i));
        break;
    case JUDGE_DATA_SPARSE_SPECIALS:
        for (uint64_t i = first; i < end; i++)
            input[i] = sparse_special(buffer, OF_MATRIX, data_word(seed, i));
        break;
    case JUDGE_DATA_BITS:
        for (uint64_t i = first; i < end; i++)
            input[i] = any_bits(data_word(seed, i));
        break;
    case JUDGE_DATA_FAINT_FIRST:
    case JUDGE_DATA_FAINT_SECOND:
        for (uint64_t i = first; i < end; i++)
            input[i] = faint(buffer, of->data, of->index, data_word(seed, i));
        break;
    default:
        if (picks(buffer, of->data, of->index))
            fill_picks(input, buffer, of->index, first, end, seed);
        else
            for (uint64_t i = first; i < end; i++)
                input[i] = element(buffer, of->data, of->index, i, seed);
    }
}

static void fill_f32(float *input, const struct judge_buffer *buffer, uint32_t data, size_t index,
                     uint64_t seed)
{
    struct filling of = {input, buffer, data, index, seed};
    judge_rows_side_by_side(buffer->count, 1, fill_from, &of);
}

/* Rounded to nearest even; a NaN keeps its upper bits, of which the first fraction bit is set. */
static uint16_t bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(isnan(value) ? bits >> 16 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static void fill_narrow(void *input, const struct judge_buffer *buffer, uint32_t data, size_t index,
                        uint64_t seed)
{
    for (uint64_t i = 0; i < buffer->count; i++) {
        float value = element(buffer, data, index, i, seed);
        if (buffer->type == JUDGE_F16)
            ((_Float16 *)input)[i] = (_Float16)value;
        else
            ((uint16_t *)input)[i] = bf16(value);
    }
}

static void fill_words(void *input, uint64_t bytes, uint64_t seed)
{
    unsigned char *to = input;
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = data_word(seed, i / sizeof word);
        memcpy(to + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
}

void data_fill(const struct judge *judge, const struct judge_case *problem, size_t index,
               const struct judge_buffer *buffer, void *input, uint64_t seed)
{
    uint64_t own = data_seed(seed, index);
    if (judge->fill && !problem->refused_with)
        judge->fill(problem, index, input, buffer->count, own);
    else if (buffer->type == JUDGE_F32)
        fill_f32(input, buffer, problem->data, index, own);
    else if (buffer->type == JUDGE_F16 || buffer->type == JUDGE_BF16)
        fill_narrow(input, buffer, problem->data, index, own);
    else
        fill_words(input, buffer->count * judge_type_bytes(buffer->type), own);
}
