/* live_internal.h - what the files of live.h share. */
#ifndef LIVE_INTERNAL_H
#define LIVE_INTERNAL_H

#include "live.h"
#include "machine.h"

/* Text that grows. When memory is exhausted it is cut off, so that it is no JSON any more. */
struct text {
    char *start;
    size_t used, room;
};
void text_clear(struct text *text);
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As JSON: in quotes; NULL is null. */
void text_quote(struct text *text, const char *string);

/* What live_error will say. False. */
bool live_fail(const char *why);

/* An H200 with these bytes as its memory, at the address that the device process gives it; NULL,
 * with an error. */
struct sim_machine *machine_in(unsigned char *memory, uint64_t size_bytes, struct sim_error *why);

/* live_tell.c */
void tell_result(struct text *text, struct launch *launch, const struct function *kernel);

/* live_steps.c: what the launch is to be given, and what it has told so far. */
void steps_clear(void);
struct sim_watch steps_watch(const uint32_t block[2], uint32_t warp, const struct function *kernel);
const char *steps_text(void);

#endif
