/* messages.h - what the compiler wrote, as a learner reads it. */
#ifndef CHECK_MESSAGES_H
#define CHECK_MESSAGES_H

/* The messages with slug.cu named as the learner typed it, common/ as in the tree, and words of
 * CUDA C as in the source. NULL without memory; the caller frees it. */
char *messages_readable(const char *messages, const char *slug, const char *shown_path);

#endif
