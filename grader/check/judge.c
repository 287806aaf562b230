/* judge.c - finds the judges that were linked in, and the arithmetic that their truths share.
 *
 * Every judge.c leaves one pointer in the linker section "judges"; the linker places them next to
 * each other and names both ends, so this file needs no list. Read judge.h first.
 */
#include "check/judge.h"

#include "lib/processors.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

/* Weak, since a program without a single judge has no such section. */
extern const struct judge *const __start_judges[] __attribute__((weak));
extern const struct judge *const __stop_judges[] __attribute__((weak));

enum { MOST_JUDGES = 100 }; /* a lesson's number has two digits */

static int by_lesson(const void *a, const void *b)
{
    return strcmp((*(const struct judge *const *)a)->lesson,
                  (*(const struct judge *const *)b)->lesson);
}

size_t judge_all(const struct judge *const **list)
{
    static const struct judge *sorted[MOST_JUDGES];
    size_t count = (size_t)(__stop_judges - __start_judges);
    if (count > MOST_JUDGES)
        count = MOST_JUDGES;
    memcpy(sorted, __start_judges, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_lesson);
    *list = sorted;
    return count;
}

const struct judge *judge_named(const char *lesson)
{
    const struct judge *const *list;
    size_t count = judge_all(&list);
    char *end;
    long number = strtol(lesson, &end, 10);
    bool is_number = end != lesson && *end == '\0';
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i]->lesson, lesson) == 0 ||
            (is_number && strtol(list[i]->lesson, NULL, 10) == number))
            return list[i];
    return NULL;
}

bool judge_has_work(struct judge_work work)
{
    return work.bytes > 0 || work.flop > 0 || work.tensor_flop > 0;
}

const struct judge_case *judge_case_named(const struct judge_case *cases, size_t count,
                                          const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    return NULL;
}

static uint64_t draw_word(uint64_t *seed)
{
    uint64_t word = judge_word(*seed, 0);
    *seed += UINT64_C(0x9E3779B97F4A7C15);
    return word;
}

int64_t judge_draw(uint64_t *seed, int64_t least, int64_t most)
{
    return least + (int64_t)(draw_word(seed) % (uint64_t)(most - least + 1));
}

int64_t judge_draw_size(uint64_t *seed, int64_t least, int64_t most)
{
    double share = (double)(draw_word(seed) >> 11) * 0x1p-53;
    int64_t size = (int64_t)((double)least * pow((double)(most + 1) / (double)least, share));
    return size < least ? least : size > most ? most : size;
}

float judge_draw_float(uint64_t *seed)
{
    float value = (float)judge_draw(seed, 1 << 22, 1 << 24) * 0x1p-23f;
    return judge_draw(seed, 0, 1) ? value : -value;
}

float judge_draw_scalar(uint64_t *seed, enum judge_scalar kind)
{
    float sign = judge_draw(seed, 0, 1) ? 1 : -1;
    if (kind == JUDGE_WHOLE)
        return sign * (float)judge_draw_size(seed, 1, 999);
    if (kind == JUDGE_POWER_OF_TWO)
        return ldexpf(sign, (int)judge_draw(seed, -8, 9));
    return judge_draw_float(seed);
}

float judge_draw_any_float(uint64_t *seed)
{
    static const float LIMITS[] = {0, 1, INFINITY, NAN, FLT_MAX, 0x1p-149f};
    enum { LIMIT_COUNT = sizeof LIMITS / sizeof *LIMITS };
    int64_t kind = judge_draw(seed, 0, 2 * LIMIT_COUNT + 1);
    uint32_t bits = (uint32_t)judge_draw(seed, 0, UINT32_MAX);
    float value;
    if (kind < LIMIT_COUNT)
        return bits & 1 ? -LIMITS[kind] : LIMITS[kind];
    if (kind == LIMIT_COUNT)
        bits &= 0x807FFFFF; /* no exponent: it is subnormal */
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A multiple of 16 bytes, anywhere in a line of 128. */
static uint32_t draw_vectors(uint64_t *seed)
{
    return 16 * (uint32_t)judge_draw(seed, 0, 7);
}

struct judge_offsets judge_draw_offsets(uint64_t *seed)
{
    struct judge_offsets drawn = {{0, 4, 8, 12}};
    for (int left = 4; left > 1; left--) {
        int64_t other = judge_draw(seed, 0, left - 1);
        uint32_t last = drawn.bytes[left - 1];
        drawn.bytes[left - 1] = drawn.bytes[other];
        drawn.bytes[other] = last;
    }
    for (int i = 0; i < 4; i++)
        drawn.bytes[i] += draw_vectors(seed);
    return drawn;
}

void judge_draw_place(uint64_t *seed, size_t place, size_t buffers, struct judge_case *problem)
{
    const uint32_t sector = 32 * (uint32_t)judge_draw(seed, 0, 3);
    for (size_t i = 0; i < buffers; i++)
        problem->offset_bytes[i] = sector + (uint32_t)(sizeof(float) * (place % JUDGE_PLACES));
}

void judge_draw_pointers(uint64_t *seed, size_t buffers, bool alike, struct judge_case *problem)
{
    enum { ELEMENTS = 4 };
    uint32_t first = (uint32_t)judge_draw(seed, 0, ELEMENTS - 1), next = first;
    for (size_t i = 0; i < buffers; i++) {
        problem->offset_bytes[i] = draw_vectors(seed) + (uint32_t)sizeof(float) * next;
        if (!alike)
            next = i == 0 ? (first + (uint32_t)judge_draw(seed, 1, ELEMENTS - 1)) % ELEMENTS
                          : (uint32_t)judge_draw(seed, 0, ELEMENTS - 1);
    }
}

void judge_draw_off(uint64_t *seed, size_t buffers, struct judge_case *problem)
{
    uint32_t off = draw_vectors(seed) + (uint32_t)sizeof(float) * (uint32_t)judge_draw(seed, 1, 3);
    for (size_t i = 0; i < buffers; i++)
        problem->offset_bytes[i] = off;
}

double judge_elementwise_allowed(double value, double largest_input)
{
    double scale = fmax(fabs(value), fabs(largest_input));
    return isfinite(scale) ? 0x1p-21 * scale + 4 * JUDGE_SMALLEST_FLOAT : 0;
}

double judge_product_allowed(double sum, double magnitude, double terms)
{
    double walk = 12 * magnitude, drift = 4 * sqrt(terms) * fabs(sum);
    return JUDGE_U32_ROUNDOFF * (walk + (isfinite(drift) ? drift : 0));
}

double judge_sum_allowed(const struct judge_case *problem, double sum, double magnitude,
                         double terms)
{
    bool picks =
        problem->data == JUDGE_DATA_PICKS_FIRST || problem->data == JUDGE_DATA_PICKS_SECOND;
    if (!picks)
        return judge_product_allowed(sum, magnitude, terms);
    return magnitude <= 2 ? 0 : 6 * JUDGE_U32_ROUNDOFF * magnitude;
}

void judge_input(const struct judge_inputs *inputs, size_t buffer, uint64_t first, uint64_t count,
                 void *to)
{
    const struct judge_input *input = &inputs->of[buffer];
    size_t element = judge_type_bytes(input->type);
    unsigned char *at = to;
    if (input->read) {
        input->read(input->source, first, count, to);
        return;
    }
    for (uint64_t from = first % input->count; count; from = 0) {
        uint64_t part = input->count - from < count ? input->count - from : count;
        memcpy(at, input->period + from * element, part * element);
        at += part * element;
        count -= part;
    }
}

size_t judge_type_bytes(enum judge_type type)
{
    static const size_t BYTES[] = {
        [JUDGE_F32] = 4, [JUDGE_F16] = 2, [JUDGE_BF16] = 2,
        [JUDGE_U32] = 4, [JUDGE_U64] = 8, [JUDGE_U8] = 1,
    };
    return BYTES[type];
}

/* Elements of a row, and rows of b, that are taken at a time. */
enum { PRODUCT_COLS = 64, PRODUCT_ROWS = 64 };

/* Elements of a from first on along its row, of which there are m if it is stored turned. */
static void read_row(const struct judge_inputs *inputs, const struct judge_product *product,
                     uint64_t row, uint64_t first, uint64_t count, float *a)
{
    const struct judge_input *input = &inputs->of[product->a];
    bool is_at_hand = !input->read && product->k * product->m <= input->count;
    if (!product->a_turned)
        judge_input(inputs, product->a, row * product->k + first, count, a);
    else if (is_at_hand)
        for (uint64_t i = 0; i < count; i++)
            a[i] = ((const float *)input->period)[(first + i) * product->m + row];
    else
        for (uint64_t i = 0; i < count; i++)
            judge_input(inputs, product->a, (first + i) * product->m + row, 1, &a[i]);
}

/* The part of b in these rows and columns. */
static void read_part(const struct judge_inputs *inputs, const struct judge_product *product,
                      uint64_t first, uint64_t rows, uint64_t col, uint64_t count,
                      float (*b)[PRODUCT_COLS])
{
    float turned[PRODUCT_ROWS];
    for (uint64_t i = 0; i < rows && !product->b_turned; i++)
        judge_input(inputs, product->b, (first + i) * product->n + col, count, b[i]);
    for (uint64_t j = 0; j < count && product->b_turned; j++) {
        judge_input(inputs, product->b, (col + j) * product->k + first, rows, turned);
        for (uint64_t i = 0; i < rows; i++)
            b[i][j] = turned[i];
    }
}

/* Each has one place. These are 8 MB, a strip or more of each block that runs. */
enum { PARTS_KEPT = 512 };
typedef float product_part[PRODUCT_ROWS][PRODUCT_COLS];

struct judge_parts {
    struct part_name {
        bool is_kept, b_turned;
        size_t b;
        uint64_t n, k, first, col, count;
    } of[PARTS_KEPT];
    product_part *content;
};

struct judge_parts *judge_parts_new(void)
{
    struct judge_parts *parts = calloc(1, sizeof *parts);
    if (parts)
        parts->content = malloc(PARTS_KEPT * sizeof *parts->content);
    if (parts && parts->content)
        return parts;
    free(parts);
    return NULL;
}

void judge_parts_free(struct judge_parts *parts)
{
    if (parts)
        free(parts->content);
    free(parts);
}

static bool is_named(const struct part_name *x, const struct part_name *y)
{
    return x->is_kept == y->is_kept && x->b_turned == y->b_turned && x->b == y->b && x->n == y->n &&
           x->k == y->k && x->first == y->first && x->col == y->col && x->count == y->count;
}

/* The same as read_part; room is used where none is kept. */
static const product_part *part_of(const struct judge_inputs *inputs,
                                   const struct judge_product *product, uint64_t first,
                                   uint64_t rows, uint64_t col, uint64_t count, product_part *room)
{
    struct judge_parts *parts = inputs->parts;
    const struct part_name name = {
        true, product->b_turned, product->b, product->n, product->k, first, col, count};
    uint64_t place = judge_word(col, first / PRODUCT_ROWS) % PARTS_KEPT;
    if (parts && is_named(&parts->of[place], &name))
        return &parts->content[place];
    if (parts) {
        parts->of[place] = name;
        room = &parts->content[place];
    }
    read_part(inputs, product, first, rows, col, count, *room);
    return room;
}

static void add_products(const struct judge_inputs *inputs, const struct judge_product *product,
                         uint64_t row, uint64_t col, uint64_t count, double *sum, double *magnitude)
{
    float a[PRODUCT_ROWS];
    product_part room;
    for (uint64_t first = 0; first < product->k; first += PRODUCT_ROWS) {
        uint64_t left = product->k - first, rows = left < PRODUCT_ROWS ? left : PRODUCT_ROWS;
        read_row(inputs, product, row, first, rows, a);
        /* all first: the processor fetches several at once */
        const product_part *b = part_of(inputs, product, first, rows, col, count, &room);
        for (uint64_t i = 0; i < rows; i++)
            for (uint64_t j = 0; j < count; j++) {
                double term = (double)a[i] * (*b)[i][j];
                sum[j] += term;
                magnitude[j] += fabs(term);
            }
    }
}

void judge_product_row(const struct judge_inputs *inputs, const struct judge_product *product,
                       uint64_t row, uint64_t col, uint64_t count, double *sum, double *magnitude)
{
    for (uint64_t done = 0, part; done < count; done += part) {
        part = count - done < PRODUCT_COLS ? count - done : PRODUCT_COLS;
        add_products(inputs, product, row, col + done, part, sum + done, magnitude + done);
    }
}

/* A bfloat16 is the upper half of a float. */
static double of_bf16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* Named where x86 has an instruction: from a half to a double at once would be a call. */
static double of_f16(uint16_t bits)
{
#ifdef __F16C__
    return _cvtsh_ss(bits);
#else
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (double)half;
#endif
}

double judge_element(const void *buffer, enum judge_type type, uint64_t i)
{
    switch (type) {
    case JUDGE_F32: return judge_of_float(&((const float *)buffer)[i]);
    case JUDGE_F16: return of_f16(((const uint16_t *)buffer)[i]);
    case JUDGE_BF16: return of_bf16(((const uint16_t *)buffer)[i]);
    case JUDGE_U32: return ((const uint32_t *)buffer)[i];
    case JUDGE_U64: return (double)((const uint64_t *)buffer)[i];
    case JUDGE_U8: return ((const uint8_t *)buffer)[i];
    }
    return NAN;
}

/* --- Several processors ----------------------------------------------------------------------- */

enum { MOST_SIDES = 8 };

struct side {
    judge_work_on *work;
    void *context;
    uint64_t first, end;
    pthread_t thread;
    bool has_thread;
};

static void *do_side(void *argument)
{
    const struct side *side = argument;
    side->work(side->context, side->first, side->end);
    return NULL;
}

void judge_side_by_side(uint64_t count, judge_work_on *work, void *context)
{
    struct side sides[MOST_SIDES];
    uint64_t most = processors_allowed() < MOST_SIDES ? processors_allowed() : MOST_SIDES;
    uint64_t used = count < most ? count : most;
    for (uint64_t i = 0; i < used; i++) {
        sides[i] = (struct side){work, context, count * i / used, count * (i + 1) / used, 0, false};
        sides[i].has_thread =
            i > 0 && pthread_create(&sides[i].thread, NULL, do_side, &sides[i]) == 0;
    }
    for (uint64_t i = 0; i < used; i++)
        if (sides[i].has_thread)
            pthread_join(sides[i].thread, NULL);
        else
            do_side(&sides[i]);
}

void judge_rows_side_by_side(uint64_t rows, double steps, judge_work_on *work, void *context)
{
    static const double LEAST_STEPS = 0x1p18; /* a tenth of a millisecond */
    if ((double)rows * steps >= LEAST_STEPS)
        judge_side_by_side(rows, work, context);
    else
        work(context, 0, rows);
}

struct judge_places_text judge_places_text(const struct judge_case *problem,
                                           const char *const *names, size_t count)
{
    struct judge_places_text its = {""};
    size_t used = 0, off = 0, alike = 0;
    for (size_t i = 0; i < count; i++) {
        off += problem->offset_bytes[i] > 0;
        alike += problem->offset_bytes[i] == problem->offset_bytes[0];
    }
    if (off == 0)
        return its;
    if (alike == count && count > 1) {
        snprintf(its.text, sizeof its.text, ", all %u off",
                 problem->offset_bytes[0] / (uint32_t)sizeof(float));
        return its;
    }
    for (size_t i = 0; i < count && used < sizeof its.text; i++)
        if (problem->offset_bytes[i] > 0)
            used += (size_t)snprintf(its.text + used, sizeof its.text - used, "%s %s %u",
                                     used > 0 ? "" : ",", names[i],
                                     problem->offset_bytes[i] / (uint32_t)sizeof(float));
    if (used < sizeof its.text)
        snprintf(its.text + used, sizeof its.text - used, " off");
    return its;
}
