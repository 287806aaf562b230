/* conversation.h - how the bytes of an input stand for conversations with the device process.
 *
 * An input is a sequence of steps, each a head and what it announces. A step opens a line or sends
 * a request on one; the harness waits for the reply as a program would. A request's fixed part is
 * zero except for the bytes that are given, which come after its kind and payload size.
 *
 * An input cannot know what the device chooses (addresses, handles). So the first value of each
 * reply goes to a shelf, and an aligned word of a request or payload that is a mark is replaced by
 * the value on its shelf, plus an offset:
 *
 *     63         48 47      40 39                 0
 *     +------------+----------+-------------------+
 *     | MARK       | shelf    | offset            |
 *     +------------+----------+-------------------+
 */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include <stdint.h>

enum { LINES = 4, SHELVES = 16 };

enum step_action { STEP_SEND, STEP_OPEN, STEP_CLOSE, STEP_LIE, STEP_ACTIONS };
enum step_opening { OPEN_HELLO, OPEN_IN_CONTROL, OPEN_ATTACH, OPEN_CALLBACKS, OPENINGS };

struct step {
    uint8_t action;       /* modulo STEP_ACTIONS; STEP_LIE sends less than it announces */
    uint8_t line;         /* modulo LINES */
    uint8_t kind;         /* of the request, or enum step_opening */
    uint8_t other;        /* STEP_SEND: the shelf for the reply; STEP_OPEN: what program to join */
    uint16_t fixed_bytes; /* that follow, of the fixed part */
    uint16_t payload_bytes; /* that follow them */
};

#define CONVERSATION_MARK UINT64_C(0xF5A7)

static inline uint64_t conversation_mark(unsigned shelf, uint64_t offset)
{
    return CONVERSATION_MARK << 48 | (uint64_t)shelf << 40 | offset;
}

#endif
