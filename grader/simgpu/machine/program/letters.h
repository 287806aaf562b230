/* letters.h - what a letter of an opcode's operands stands for: operands.def.
 * Used by row.c, operand.c and opcode.c; and by tests/ptx_registers.c. */
#ifndef SIM_LETTERS_H
#define SIM_LETTERS_H

#include <stdbool.h>

/* clang-format off */
/* What becomes of an operand. */
enum operand_role {
    ROLE_value, ROLE_wide_value, ROLE_pair, ROLE_predicates, ROLE_predicate, ROLE_number,
    ROLE_copied_bytes, ROLE_ignored, ROLE_special, ROLE_label, ROLE_address, ROLE_later_address,
    ROLE_parameter, ROLE_texture_place, ROLE_vector, ROLE_parts, ROLE_fragment, ROLE_texel,
};
/* clang-format on */

/* All others are a number of bytes. */
enum { OPERAND_FIRST = -1, OPERAND_LAST = -2, OPERAND_TWICE = -3 };

struct operand_letter {
    char letter;
    bool is_written;
    enum operand_role role;
    int width; /* bytes of a register, or OPERAND_FIRST and the like */
};

/* NULL when the table has no such letter. */
const struct operand_letter *operand_letter(char letter);

/* The next letter of an opcode's operands, of which text is the rest: blanks, the digit of a
 * fragment and the ? of an optional operand are passed over. NULL after the last, and at a *. */
const char *operand_next(const char *text);

#endif
