/* live.h - the machine for a figure that a reader can touch: plain calls, answers in JSON.
 *
 * One machine, one module, one launch at a time; all of it is global, since a page has one. It is
 * compiled to WebAssembly (build/wasm/machine.wasm), where JavaScript calls it, and as it is, where
 * alike.c holds the one to the other.
 *
 * Usual order of calls:
 *     live_open, live_load, live_allocate, write to live_bytes
 *     live_parameter for each one, live_watch if a warp is to be followed, live_launch
 *     live_result, live_steps, read live_bytes
 *
 * Errors: calls return false, 0 or NULL, and live_error tells why in one sentence. In WebAssembly
 * there is no longjmp: text that does not parse ends the call by an exception of the host's
 * (give_up), after which the instance can only tell live_error.
 *
 * Ownership: texts and bytes that are returned live until the next call that makes such.
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stdint.h>

/* A fresh H200 without memory in use. False when there is no memory for it. */
bool live_open(void);
const char *live_error(void);

/* {"name", "copy_bytes_per_s": as measured, "fp32_per_s": operations, two for each multiply-add, by
 * its units and highest clock}. */
const char *live_device(void);

/* A fatbin that is not compressed, or PTX text. */
bool live_load(const void *image, uint32_t size_bytes);

/* Device memory, filled with zeros that the checks take for written; its address (exact in a
 * double), or 0. */
double live_allocate(uint32_t size_bytes);
/* size_bytes of device memory, to read or write; NULL for what is not all of one allocation. */
unsigned char *live_bytes(double address, uint32_t size_bytes);
/* count floats between -1 and 1, of both signs. False when they are not all of one allocation. */
bool live_fill(double address, uint32_t count);

/* The next parameter of the next launch. False when there are too many bytes. */
bool live_parameter(const void *value, uint32_t size_bytes);
/* The next launch notes what this warp of that block does; see live_steps. */
void live_watch(uint32_t block_x, uint32_t block_y, uint32_t warp);
/* Of the next launch so many blocks run, and stand for all (sim_sampling); its counters and times
 * are of the whole launch. Without checks only. */
void live_sample(uint32_t blocks);
/* checks is of enum sim_checks. What they find does not end the launch; a fault does, and so does
 * a launch of more than so many thread instructions. Parameters are forgotten. */
bool live_launch(const char *kernel, uint32_t grid_x, uint32_t grid_y, uint32_t block_x,
                 uint32_t block_y, uint32_t dynamic_shared_bytes, uint32_t checks,
                 double most_thread_instructions);

/* {"modelled_ns", "bound", "totals": {...}, "ops": [{"line", "ptx", counters, "example": one
 * request's lanes}, ...], "fault": NULL or {...}, "findings": [...]} of the last launch. Counts are
 * those of machine.h, under its names; modelled times are on an NVIDIA H200. */
const char *live_result(void);
/* [{"line", "ptx", "live", "mask", "active", "depth", "space", "bytes", "address": [32]}, ...]: the
 * steps of the watched warp. Addresses count from the start of their buffer; null for a lane that
 * is off. Without an access there are no "space", "bytes" and "address". */
const char *live_steps(void);

#endif
