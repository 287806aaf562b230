/* starved.h - did the kernel end a process because the machine had no memory left, though the
 * process took little of it?
 *
 * When memory runs out, the kernel kills what the launcher offers first, the submission
 * (oom_score_adj), whoever took the memory. Such a process has crashed no more than one on a
 * machine that lost its power. But a process can also kill itself with SIGKILL, or take all memory
 * so that it is killed. So three things have to be true: it died of SIGKILL that the launcher did
 * not send; the kernel's count of such kills (/proc/vmstat, oom_kill) has risen moments before; and
 * no process of the tree ever had more than an honest one has. The second the submission cannot
 * write, and bring about only by taking memory, which the third notices.
 */
#ifndef RUNNER_STARVED_H
#define RUNNER_STARVED_H

#include <stdbool.h>
#include <stdint.h>

struct starved {
    bool is_counted; /* the machine has such a count */
    uint64_t kills;  /* as last seen */
    bool has_risen;
    int64_t risen_ns;    /* when it was last seen to be higher than before */
    uint64_t most_bytes; /* that any process of the tree, or at any count the tree, has had */
};

/* An honest runner has 0.1 GB, a compiler 0.2 GB. */
#define STARVED_MOST_BYTES (UINT64_C(512) << 20)
/* The kernel counts when it sends the signal; it may take a while until the process is gone. */
#define STARVED_NS INT64_C(2000000000)

/* The number after "oom_kill" in the text of /proc/vmstat; false if there is none. */
bool starved_count_in(const char *vmstat, uint64_t *kills);
/* The same of this machine. */
bool starved_count(uint64_t *kills);

/* Look at the count, at the beginning and then often. now_ns: of any clock that is not set. */
void starved_look(struct starved *starved, bool is_counted, uint64_t kills, int64_t now_ns);
/* So much memory was seen. */
void starved_note_bytes(struct starved *starved, uint64_t bytes);
/* For one that SIGKILL ended at now_ns, just after a look. */
bool starved_is_it(const struct starved *starved, int64_t now_ns);

#endif
