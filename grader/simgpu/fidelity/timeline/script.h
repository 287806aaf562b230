/* script.h - a program of streams, copies, events and graphs as one line of text.
 *
 * Statements are separated by semicolons, words by spaces:
 *
 *     up STREAM MEMORY BYTES     a copy to the device that the host does not wait for
 *     down STREAM MEMORY BYTES   the same to the host
 *     put MEMORY BYTES           cudaMemcpy to the device: in the legacy default stream, and waits
 *     get MEMORY BYTES           the same to the host
 *     move STREAM BYTES          a copy on the device
 *     set STREAM BYTES           a memset
 *     run STREAM KERNEL AMOUNT   a launch: see kernels.h
 *     record EVENT STREAM        cudaEventRecord
 *     wait STREAM EVENT          cudaStreamWaitEvent
 *     sync STREAM                cudaStreamSynchronize; "sync all": cudaDeviceSynchronize
 *     graph STREAM ... end       what stands between is captured, once, before time is taken
 *     play STREAM                launches that graph
 *     N x ( ... )                what stands between, N times
 *
 * STREAM is 0 to 7 (streams that do not wait for the legacy default stream), 8 or 9 (streams that
 * do), or "legacy". EVENT is 0 to 7. MEMORY is "pinned" or "paged". BYTES is a number with K or M.
 */
#ifndef TIMELINE_SCRIPT_H
#define TIMELINE_SCRIPT_H

#include <string>
#include <vector>

enum { STREAMS = 10, LEGACY = STREAMS, LANES = STREAMS + 1, EVENTS = 8 };

enum verb { UP, DOWN, PUT, GET, MOVE, SET, RUN, RECORD, WAIT, SYNC, SYNC_ALL, GRAPH, END, PLAY };

struct step {
    enum verb verb;
    int stream, event;
    bool pinned;
    size_t bytes;
    std::string kernel;
    int amount;
    bool captured; /* into the graph, not done */
    bool is_last;  /* of its stream: what records the stream's end comes after it */
    std::string text;
};

/* The steps of a script; ends the program with a sentence if it makes no sense. */
std::vector<struct step> script_read(const char *name, const char *script);

#endif
