/* gave_up.c - why the parser gave up, which only its longjmp knows (setjmp.h). */
#include "live_internal.h"
#include "ptx/parser_internal.h"

#include <stddef.h>
#include <stdio.h>

void live_gave_up(int *place)
{
    struct parser *parser = (struct parser *)((char *)place - offsetof(struct parser, give_up));
    char why[500];
    snprintf(why, sizeof why, "PTX line %u: %s", parser->error->line, parser->error->message);
    live_fail(why);
}
