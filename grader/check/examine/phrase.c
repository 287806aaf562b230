/* phrase.c - the names that sentences may use, each with its number. NAN: not known for this
 * submission. */
#include "check/examine/phrase.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER(name, condition, value)                 \
    static double name(const struct judge_evidence *e) \
    {                                                  \
        return (condition) ? (double)(value) : NAN;    \
    }

NUMBER(wrong, e->total > 0, e->wrong)
NUMBER(total, e->total > 0, e->total)
NUMBER(first, e->total > 0, e->first_wrong)
NUMBER(stride, e->stride > 1, e->stride)
NUMBER(zeros, e->zeros > 0, e->zeros)
NUMBER(largest_error, isfinite(e->largest_error), e->largest_error)
NUMBER(got, e->total > 0 && isfinite(e->got), e->got)
NUMBER(want, e->total > 0 && isfinite(e->want), e->want)
NUMBER(line, e->at_line > 0, e->at_line)
NUMBER(other_line, e->other_line > 0, e->other_line)
NUMBER(threads, e->launch.count > 0, e->launch.threads)
NUMBER(blocks, e->launch.count > 0, e->launch.blocks)
NUMBER(last_block, e->launch.count > 0, e->launch.blocks - 1)
NUMBER(shared_bytes, e->launch.count > 0, e->launch.shared_bytes)
NUMBER(thread, e->launch.has_place, e->launch.thread)
NUMBER(block, e->launch.has_place, e->launch.block)
NUMBER(first_in_block, e->total > 0 && e->launch.threads > 0, e->first_wrong % e->launch.threads)
NUMBER(first_block, e->total > 0 && e->launch.threads > 0, e->first_wrong / e->launch.threads)
NUMBER(all_threads, e->launch.count > 0, e->launch.threads * e->launch.blocks)
NUMBER(value, e->refused != JUDGE_COUNTER_NONE, e->counter[e->refused])
NUMBER(load_apart, true, fabs(e->line.load_apart))
NUMBER(store_apart, true, fabs(e->line.store_apart))
NUMBER(lanes, true, e->line.lanes)
NUMBER(grid, true, e->kernel.blocks)
NUMBER(block_threads, true, e->kernel.block_threads)
NUMBER(multiprocessors, true, e->kernel.multiprocessors)
NUMBER(warps, true, e->kernel.warps)
NUMBER(most_warps, true, e->kernel.most_warps)
NUMBER(registers, true, e->kernel.registers)
NUMBER(load_width, true, e->kernel.load_width)
NUMBER(line_sectors, true, e->worst_line_counter[JUDGE_SECTORS_PER_LOAD])
NUMBER(line_store_sectors, true, e->worst_line_counter[JUDGE_SECTORS_PER_STORE])
NUMBER(elsewhere_blocks, e->in_another_case, e->elsewhere.blocks)
NUMBER(elsewhere_threads, e->in_another_case, e->elsewhere.block_threads)

#undef NUMBER

static const struct {
    const char *name;
    double (*of)(const struct judge_evidence *evidence);
} NAMES[] = {
    {"wrong", wrong},
    {"total", total},
    {"first", first},
    {"stride", stride},
    {"zeros", zeros},
    {"largest_error", largest_error},
    {"got", got},
    {"want", want},
    {"line", line},
    {"other_line", other_line},
    {"threads", threads},
    {"blocks", blocks},
    {"last_block", last_block},
    {"shared_bytes", shared_bytes},
    {"thread", thread},
    {"block", block},
    {"first_in_block", first_in_block}, /* if thread t of all takes element t */
    {"first_block", first_block},
    {"all_threads", all_threads},
    {"value", value}, /* of the counter whose bar was missed */
    {"load_apart", load_apart},
    {"store_apart", store_apart},
    {"lanes", lanes},
    {"grid", grid},
    {"block_threads", block_threads},
    {"multiprocessors", multiprocessors},
    {"warps", warps},
    {"most_warps", most_warps},
    {"registers", registers},
    {"load_width", load_width},
    {"line_sectors", line_sectors},
    {"line_store_sectors", line_store_sectors},
    {"elsewhere_blocks", elsewhere_blocks}, /* in the other case that is slow */
    {"elsewhere_threads", elsewhere_threads},
};

/* The number for the name between the braces. */
static double number_of(const char *name, size_t length, const struct judge_evidence *evidence)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strlen(NAMES[i].name) == length && strncmp(NAMES[i].name, name, length) == 0)
            return NAMES[i].of(evidence);
    return NAN;
}

/* Counts are exact; other numbers have three digits. */
static int print_number(char *to, size_t bytes, double number)
{
    bool is_count = number == rint(number) && fabs(number) < 0x1p53;
    return snprintf(to, bytes, is_count ? "%.0f" : "%.3g", number);
}

bool phrase_fill(const char *text, const struct judge_evidence *evidence, char *filled,
                 size_t bytes)
{
    size_t used = 0;
    while (*text && used < bytes) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        if (!end) {
            filled[used++] = *text++;
            continue;
        }
        double number = number_of(text + 1, (size_t)(end - text - 1), evidence);
        if (!isfinite(number))
            return false;
        used += (size_t)print_number(filled + used, bytes - used, number);
        text = end + 1;
    }
    if (used >= bytes)
        return false;
    filled[used] = '\0';
    return true;
}
