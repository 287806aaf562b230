/* list.c - lesson 9: how many elements each tensor of a case has, and where it begins. */
#include "judges/09_adamw/problem.h"

#include <string.h>

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Of short tensors and empty ones, the first of which comes early, and two in a row later. */
static int64_t short_size(int64_t i)
{
    static const int64_t SIZES[] = {768, 0, 3, 127, 1, 1025, 0, 0, 2, 260, 31};
    return SIZES[i % (int64_t)(sizeof SIZES / sizeof *SIZES)];
}

/* The tables of words and of places; twelve tensors of each layer; and the last norm. */
static int64_t network_size(int64_t width, int64_t i)
{
    enum { WORDS = 50257, LENGTH = 1024, TABLES = 2, OF_LAYER = 12, LAYERS = 12 };
    const int64_t layer[OF_LAYER] = {
        width, width, 3 * width * width, 3 * width, width * width,     width,
        width, width, 4 * width * width, 4 * width, 4 * width * width, width};
    if (i < TABLES)
        return width * (i == 0 ? WORDS : LENGTH);
    return i < TABLES + LAYERS * OF_LAYER ? layer[(i - TABLES) % OF_LAYER] : width;
}

static int64_t drawn_size(const int64_t size[], int64_t i)
{
    uint64_t seed = judge_word((uint64_t)size[PLACES], (uint64_t)i);
    if (i == size[COUNT] / 2) /* so that there is something to do */
        return judge_draw_size(&seed, 2, size[ELEMENTS]);
    return judge_draw(&seed, 0, 5) == 0 ? 0 : judge_draw_size(&seed, 1, size[ELEMENTS]);
}

static int64_t size_of(const int64_t size[], int64_t i)
{
    switch ((enum list)size[LIST]) {
    case ALIKE: return size[ELEMENTS];
    case MIXED: return i == size[COUNT] / 2 ? size[ELEMENTS] : short_size(i);
    case FIRST: return i == 0 ? size[ELEMENTS] : short_size(i);
    case DRAWN: return drawn_size(size, i);
    case NETWORK: break;
    }
    return network_size(size[ELEMENTS], i);
}

static bool is_half(const int64_t size[], int64_t i)
{
    return size[HALVES] == ALL_HALVES || (size[HALVES] == EVERY_OTHER && i % 2 == 1);
}

/* --- Places ----------------------------------------------------------------------------------- */

/* A quarter is aligned, a quarter has all four off alike, in a quarter one of them is off, and in
 * the others each is drawn. */
static int64_t drawn_off(const int64_t size[], size_t buffer, int64_t i)
{
    enum { ALIGNED, ALL_ALIKE, ONE_OF_FOUR, KINDS = 4, UNIT = 8 };
    static const size_t FOUR[] = {P, G, M, V};
    uint64_t word = judge_word(~(uint64_t)size[PLACES], (uint64_t)i);
    switch (word % KINDS) {
    case ALIGNED: return 0;
    case ALL_ALIKE: return (int64_t)(word >> 8) % UNIT;
    case ONE_OF_FOUR: return buffer == FOUR[word >> 8 & 3] ? 1 + (int64_t)(word >> 16) % 7 : 0;
    default: return (int64_t)(judge_word(word, buffer) % UNIT);
    }
}

/* By how many elements a tensor begins past a multiple of eight, which is 16 bytes of any type. */
static int64_t off_by(const int64_t size[], size_t buffer, int64_t i)
{
    bool is_gradient = buffer == G || buffer == G16;
    switch ((enum places)size[PLACES]) {
    case P_OFF: return buffer == P;
    case G_OFF: return is_gradient;
    case G_TWO_OFF: return is_gradient ? 2 : 0;
    case G_FOUR_OFF: return is_gradient ? 4 : 0;
    case M_OFF: return buffer == M;
    case V_OFF: return buffer == V;
    case ONE_OFF: return 1;
    case TWO_OFF: return 2;
    case THREE_OFF: return 3;
    case APART:
    case PACKED:
    case ON_LINES: return 0;
    case DRAWN_PLACES: break;
    }
    return drawn_off(size, is_gradient ? G : buffer, i);
}

/* Where tensor i begins if the one before it, if there is one, ends at `end`. */
static int64_t place_after(const int64_t size[], size_t buffer, int64_t i, int64_t end)
{
    enum { UNIT = 8, LINE = 64 };
    int64_t unit = size[PLACES] == ON_LINES ? LINE : UNIT, off = off_by(size, buffer, i);
    if (size[PLACES] == PACKED)
        return end;
    int64_t least = size[PLACES] == ON_LINES || end == 0 ? end : end + 1;
    return (least - off + unit - 1) / unit * unit + off;
}

static void place(const int64_t size[], int64_t i, struct adamw_list *list)
{
    struct adamw_place *tensor = &list->of[i];
    *tensor = (struct adamw_place){.n = size_of(size, i), .half = is_half(size, i)};
    for (size_t buffer = 0; buffer < ARENAS; buffer++) {
        bool is_there = buffer == G ? !tensor->half : buffer == G16 ? tensor->half : true;
        if (!is_there || tensor->n == 0)
            continue;
        tensor->at[buffer] = place_after(size, buffer, i, list->length[buffer]);
        list->length[buffer] = tensor->at[buffer] + tensor->n;
    }
    list->elements += tensor->n;
    list->half_elements += tensor->half ? tensor->n : 0;
}

const struct adamw_list *adamw_list(const struct judge_case *problem)
{
    static _Thread_local struct adamw_list list = {.count = -1};
    if (list.count >= 0 && memcmp(list.made_of, problem->size, sizeof list.made_of) == 0)
        return &list;
    memset(&list, 0, sizeof list);
    memcpy(list.made_of, problem->size, sizeof list.made_of);
    list.count = (int)problem->size[COUNT];
    for (int64_t i = 0; i < list.count; i++)
        place(problem->size, i, &list);
    return &list;
}

/* Tensors that are not in the buffer are passed over: they are empty, or their gradients are of the
 * other type. */
static int next_there(const struct adamw_list *list, size_t buffer, int i)
{
    while (i < list->count && (list->of[i].n == 0 || (buffer == G && list->of[i].half) ||
                               (buffer == G16 && !list->of[i].half)))
        i++;
    return i;
}

int adamw_tensor_at(const struct adamw_list *list, size_t buffer, int64_t i)
{
    int low = -1, high = list->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2, there = next_there(list, buffer, middle);
        if (there < high && list->of[there].at[buffer] <= i)
            low = there;
        else
            high = middle;
    }
    return low;
}
