/* frame.c - where the registers of a function lie in its frame.
 *
 * nvcc gives every intermediate result a register of its own; a long kernel has thousands, of
 * which a thread needs a few dozen at a time. With a place for each, the registers of a block's
 * warps fill more memory than the processor's caches hold (lesson 4: 1.3 MB a warp). So registers
 * that are never needed at the same time share a place, as in the machine code that ptxas makes.
 *
 * A register is needed from an instruction that writes it to the last one that may read it. Within
 * a basic block these are found directly; for registers that cross blocks, the usual liveness
 * equations tell in which blocks they are needed (a register is needed at a block's start if the
 * block reads it first, or if it is needed at the end and the block does not write it). Its live
 * range is the run of instructions, in the order of the text, that holds all of these; two
 * registers whose ranges do not overlap may share. What one lane needs does not depend on where
 * others are, and lanes keep to their own part of a register, so divergence does not matter. Next:
 * decode.c.
 */
#include "decode_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };
/* Most words of a table of blocks and registers; in a larger function all registers are live
 * everywhere. */
enum { MOST_WORDS = 1 << 22 };
enum { WIDTHS = 4 }; /* registers of 2, 4, 8 and 16 bytes share among themselves */

struct life {
    uint32_t first, last; /* instructions; first is NOWHERE if none mentions it */
    uint32_t block;       /* the only one that mentions it, or SEVERAL */
    uint32_t next;        /* of those that begin or end together, or whose place is free */
};

struct frame {
    struct decoder *decoder;
    struct life *lives; /* by register */
    uint32_t register_count, instruction_count, block_count;
    uint32_t instruction; /* the one that is looked at: */
    bool at_writes;       /* first what it reads, then what it writes */
    /* Registers that cross blocks: by number, and the numbers by register, or NOWHERE. */
    uint32_t *crossing, *number, crossing_count;
    /* Bits by block and number: read before it is written there; written there; needed at the
     * block's start. */
    uint64_t *reads, *writes, *needed;
    size_t words; /* of a block */
};

static uint32_t block_of(const struct frame *frame, uint32_t instruction)
{
    return frame->decoder->block_at[instruction];
}

static void stretch(struct life *life, uint32_t instruction)
{
    if (life->first == NOWHERE)
        life->first = life->last = instruction;
    life->first = instruction < life->first ? instruction : life->first;
    life->last = instruction > life->last ? instruction : life->last;
}

static void visit_all(struct frame *frame, void (*visit)(void *, uint32_t, bool))
{
    const struct decoder *decoder = frame->decoder;
    for (uint32_t i = 0; i < frame->instruction_count; i++) {
        frame->instruction = i;
        for (int writes = 0; writes < 2; writes++) {
            frame->at_writes = writes;
            opcode_visit_registers(decoder->opcodes[i], &decoder->syntax->instructions[i], visit,
                                   frame);
        }
    }
}

/* A guarded instruction leaves some lanes their old value. */
static bool overwrites(const struct frame *frame)
{
    return frame->at_writes && !frame->decoder->syntax->instructions[frame->instruction].guarded;
}

/* --- Lives ------------------------------------------------------------------------------------ */

static void mention(void *owner, uint32_t reg, bool is_written)
{
    struct frame *frame = owner;
    struct life *life = &frame->lives[reg];
    uint32_t block = block_of(frame, frame->instruction);
    if (is_written != frame->at_writes || frame->decoder->syntax->registers[reg] == PTX_pred)
        return;
    if (life->first == NOWHERE)
        life->block = overwrites(frame) ? block : SEVERAL;
    else if (life->block != block)
        life->block = SEVERAL;
    stretch(life, frame->instruction);
}

static void note_crossing(void *owner, uint32_t reg, bool is_written)
{
    struct frame *frame = owner;
    uint32_t number = frame->number[reg];
    if (is_written != frame->at_writes || number == NOWHERE)
        return;
    size_t word = block_of(frame, frame->instruction) * frame->words + number / 64;
    uint64_t bit = UINT64_C(1) << number % 64;
    if (overwrites(frame))
        frame->writes[word] |= bit;
    else if (!(frame->writes[word] & bit))
        frame->reads[word] |= bit;
}

/* One word of what the blocks that may follow this one need at their starts. */
static uint64_t needed_behind(const struct frame *frame, uint32_t block, size_t word)
{
    const struct decoder *decoder = frame->decoder;
    uint64_t needed = 0;
    for (uint32_t i = decoder->successor_start[block]; i < decoder->successor_start[block + 1]; i++)
        if (decoder->successors[i] != EXIT_BLOCK)
            needed |= frame->needed[decoder->successors[i] * frame->words + word];
    return needed;
}

static void find_needed(struct frame *frame)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block = frame->block_count; block-- > 0;)
            for (size_t word = 0; word < frame->words; word++) {
                size_t at = block * frame->words + word;
                uint64_t needed =
                    frame->reads[at] | (needed_behind(frame, block, word) & ~frame->writes[at]);
                changed |= needed != frame->needed[at];
                frame->needed[at] = needed;
            }
    }
}

/* The lives of 64 crossing registers hold instruction, if their bit is set. */
static void stretch_those(struct frame *frame, uint64_t bits, size_t word, uint32_t instruction)
{
    for (; bits; bits &= bits - 1)
        stretch(&frame->lives[frame->crossing[word * 64 + (unsigned)__builtin_ctzll(bits)]],
                instruction);
}

static void stretch_over_blocks(struct frame *frame)
{
    for (uint32_t first = 0, end; first < frame->instruction_count; first = end) {
        uint32_t block = block_of(frame, first);
        for (end = first + 1; end < frame->instruction_count && block_of(frame, end) == block;)
            end++;
        for (size_t word = 0; word < frame->words; word++) {
            stretch_those(frame, frame->needed[block * frame->words + word], word, first);
            stretch_those(frame, needed_behind(frame, block, word), word, end - 1);
        }
    }
}

static bool follow_crossing(struct frame *frame)
{
    frame->words = (frame->crossing_count + 63) / 64;
    size_t words = frame->words * frame->block_count;
    for (uint32_t i = 0; words > MOST_WORDS && i < frame->crossing_count; i++) {
        stretch(&frame->lives[frame->crossing[i]], 0);
        stretch(&frame->lives[frame->crossing[i]], frame->instruction_count - 1);
    }
    if (words == 0 || words > MOST_WORDS)
        return true;
    frame->reads = calloc(3 * words, sizeof *frame->reads);
    if (!frame->reads)
        return false;
    frame->writes = frame->reads + words;
    frame->needed = frame->writes + words;
    visit_all(frame, note_crossing);
    find_needed(frame);
    stretch_over_blocks(frame);
    free(frame->reads);
    return true;
}

static bool find_lives(struct frame *frame)
{
    for (uint32_t reg = 0; reg < frame->register_count; reg++)
        frame->lives[reg] = (struct life){NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    visit_all(frame, mention);
    for (uint32_t reg = 0; reg < frame->register_count; reg++) {
        bool crosses = frame->lives[reg].block == SEVERAL;
        frame->number[reg] = crosses ? frame->crossing_count : NOWHERE;
        if (crosses)
            frame->crossing[frame->crossing_count++] = reg;
    }
    return follow_crossing(frame);
}

/* --- Places ----------------------------------------------------------------------------------- */

static void push(struct frame *frame, uint32_t *head, uint32_t reg)
{
    frame->lives[reg].next = *head;
    *head = reg;
}

static uint32_t pop(struct frame *frame, uint32_t *head)
{
    uint32_t reg = *head;
    *head = frame->lives[reg].next;
    return reg;
}

/* beginning, ending: by instruction, the first of the registers whose life does so there. A place
 * is free only after the instruction with which its register's life ends: an instruction must not
 * overwrite what it still reads. */
static void place_by_lives(struct frame *frame, uint32_t *beginning, uint32_t *ending)
{
    struct decoder *decoder = frame->decoder;
    uint32_t spare[WIDTHS] = {NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    for (uint32_t i = 0; i < frame->instruction_count; i++) {
        while (beginning[i] != NOWHERE) {
            uint32_t reg = pop(frame, &beginning[i]), bytes = decode_register_bytes(decoder, reg);
            uint32_t *same = &spare[__builtin_ctz(bytes) - 1];
            decoder->place[reg] = *same == NOWHERE ? decode_place(decoder, bytes * WARP_LANES)
                                                   : decoder->place[pop(frame, same)];
            push(frame, &ending[frame->lives[reg].last], reg);
        }
        while (ending[i] != NOWHERE) {
            uint32_t reg = pop(frame, &ending[i]);
            push(frame, &spare[__builtin_ctz(decode_register_bytes(decoder, reg)) - 1], reg);
        }
    }
}

static void place_predicates(struct decoder *decoder)
{
    for (size_t i = 0; i < decoder->syntax->register_count; i++) {
        decoder->place[i] = NO_REGISTER;
        if (decoder->syntax->registers[i] == PTX_pred) {
            decoder->place[i] = decoder->function->register_bytes;
            decoder->function->register_bytes += 4;
        }
    }
}

bool decode_place_registers(struct decoder *decoder)
{
    uint32_t registers = (uint32_t)decoder->syntax->register_count;
    uint32_t instructions = (uint32_t)decoder->syntax->instruction_count;
    struct frame frame = {.decoder = decoder,
                          .register_count = registers,
                          .instruction_count = instructions,
                          .block_count =
                              instructions ? decoder->block_at[instructions - 1] + 1 : 0};
    size_t list_count = 2 * (size_t)registers + 2 * (size_t)instructions;
    uint32_t *lists = malloc((list_count + 1) * sizeof *lists);
    frame.lives = malloc(((size_t)registers + 1) * sizeof *frame.lives);
    decoder->place = arena_alloc(&decoder->module->arena, registers * sizeof *decoder->place + 4);
    bool ok = lists && frame.lives && decoder->place;
    if (ok) {
        frame.crossing = lists;
        frame.number = lists + registers;
        place_predicates(decoder);
        ok = find_lives(&frame);
    }
    if (ok) {
        uint32_t *beginning = lists + 2 * (size_t)registers, *ending = beginning + instructions;
        memset(beginning, 0xFF, 2 * (size_t)instructions * sizeof *beginning);
        for (uint32_t reg = registers; reg-- > 0;)
            if (frame.lives[reg].first != NOWHERE)
                push(&frame, &beginning[frame.lives[reg].first], reg);
        place_by_lives(&frame, beginning, ending);
    }
    free(frame.lives);
    free(lists);
    return ok;
}
