/* check_opcode.c - the flags of opcodes.def agree with what else the table says of a row, and rows
 * that differ only in their types have the same flags; its operands are letters of operands.def. */
#include "letters.h"
#include "opcode.h"
#include "tests/check_main.h"

#include <string.h>

static bool is_named(const struct opcode *row, const char *name)
{
    size_t length = strlen(name);
    return strncmp(row->mnemonic, name, length) == 0 &&
           (!row->mnemonic[length] || row->mnemonic[length] == '.');
}

static bool has(const struct opcode *row, enum opcode_flag flag)
{
    return row->flags & flag;
}

/* Of the rows: FOR_ROWS(row) claim about row; */
#define FOR_ROWS(row)                                     \
    for (uint32_t at = 0; at == 0 || opcode_at(at); at++) \
        for (const struct opcode *row = opcode_at(at); row; row = NULL)

#define CLAIM(row, claim) ck_assert_msg(claim, "%s (%s): " #claim, row->mnemonic, row->types)

START_TEST(rows_of_one_mnemonic_have_the_same_flags)
{
    FOR_ROWS (row)
        for (uint32_t i = 0; i < at; i++)
            if (strcmp(opcode_at(i)->mnemonic, row->mnemonic) == 0 &&
                opcode_at(i)->class == row->class)
                CLAIM(row, opcode_at(i)->flags == row->flags);
}
END_TEST

/* What lanes meet in is a basic block by itself, so that it can be carried out again. */
START_TEST(what_waits_for_lanes_stands_alone)
{
    FOR_ROWS (row) {
        bool meets = row->class == SIM_OP_BARRIER || row->class == SIM_OP_WARP ||
                     strstr(row->mnemonic, ".sync");
        if (meets || has(row, OP_PHASE) || has(row, OP_CALL))
            CLAIM(row, has(row, OP_ALONE));
        if (has(row, OP_MATRIX))
            CLAIM(row, has(row, OP_ALONE) && strstr(row->mnemonic, ".sync.aligned"));
    }
}
END_TEST

START_TEST(only_control_steers)
{
    FOR_ROWS (row) {
        if (row->flags & (OP_BRANCH | OP_CALL | OP_ENDS | OP_STOPS | OP_PASSES))
            CLAIM(row, row->class == SIM_OP_CONTROL);
        if (has(row, OP_BRANCH))
            CLAIM(row, strpbrk(row->operands, "l*"));
    }
}
END_TEST

/* Every row of global memory says which it does, except st: where to, its op says. */
START_TEST(global_memory_is_kept_or_changed)
{
    FOR_ROWS (row) {
        bool changes = is_named(row, "st") || is_named(row, "sust") || is_named(row, "discard") ||
                       has(row, OP_ATOMIC) || strncmp(row->mnemonic, "wmma.store", 10) == 0 ||
                       row->run == bulk_store;
        if (row->class == SIM_OP_GLOBAL && row->run != store_async)
            CLAIM(row, has(row, OP_STORES_NOTHING) != changes);
        else if (row->class != SIM_OP_GLOBAL)
            CLAIM(row, !has(row, OP_STORES_NOTHING));
        if (has(row, OP_LOADS) && row->class == SIM_OP_GLOBAL)
            CLAIM(row, has(row, OP_STORES_NOTHING));
    }
}
END_TEST

START_TEST(only_extended_precision_carries)
{
    FOR_ROWS (row) {
        bool takes = is_named(row, "addc") || is_named(row, "subc") || is_named(row, "madc");
        CLAIM(row, has(row, OP_TAKES_CARRY) == takes);
        CLAIM(row, has(row, OP_LEAVES_CARRY) == (strstr(row->mnemonic, ".cc") != NULL));
        if (takes)
            CLAIM(row, strcmp(row->optional, "cc") == 0);
    }
}
END_TEST

START_TEST(no_operation_is_two_things)
{
    FOR_ROWS (row) {
        unsigned moves = row->flags & (OP_COPY | OP_BULK | OP_ATOMIC | OP_MBARRIER | OP_LOADS);
        CLAIM(row, __builtin_popcount(moves) <= 1);
        CLAIM(row, !(has(row, OP_APART) && has(row, OP_TOGETHER)));
        if (has(row, OP_PHASE))
            CLAIM(row, has(row, OP_MBARRIER));
        if (has(row, OP_ATOMIC)) /* atom has the old value as its result, red has none */
            CLAIM(row, is_named(row, row->operands[0] == 'd' ? "atom" : "red"));
        if (has(row, OP_COMPARES))
            CLAIM(row, row->operands[0] == 'p');
    }
}
END_TEST

/* As operands.def has it; a fragment's registers are counted, and others are not. */
START_TEST(operands_are_letters_of_their_table)
{
    FOR_ROWS (row) {
        const char *text = row->operands;
        CLAIM(row, strcmp(text, "*") == 0 || strspn(text, " *") == 0);
        for (const char *at = text; (at = operand_next(at)); at++) {
            const struct operand_letter *letter = operand_letter(*at);
            ck_assert_msg(letter != NULL, "%s: operand '%c' is not in operands.def", row->mnemonic,
                          *at);
            CLAIM(row, letter->letter == *at);
            CLAIM(row, (letter->role == ROLE_fragment) == (at[1] >= '1' && at[1] <= '8'));
        }
    }
    ck_assert_ptr_null(operand_letter('?'));
    ck_assert_ptr_null(operand_letter('Z'));
    ck_assert_ptr_null(operand_letter((char)0xFF));
}
END_TEST

/* What a result is: a letter that is written comes before those that are read, if there is one. */
START_TEST(results_come_first)
{
    FOR_ROWS (row) {
        bool was_read = false;
        for (const char *at = row->operands; (at = operand_next(at)); at++) {
            bool is_written = operand_letter(*at)->is_written;
            CLAIM(row, !(is_written && was_read));
            was_read |= !is_written;
        }
    }
}
END_TEST

TESTS("opcode", operands_are_letters_of_their_table, results_come_first,
      rows_of_one_mnemonic_have_the_same_flags, what_waits_for_lanes_stands_alone,
      only_control_steers, global_memory_is_kept_or_changed, only_extended_precision_carries,
      no_operation_is_two_things)
