/* set_aside.h - which fresh launches the model is never fitted to.
 *
 * The launches of the programs `fresh`, `second`, `third`, `fourth` and `fifth`, the rounds, fall
 * into two halves, by a rule that was written down before any of them was measured: the FNV-1a hash
 * (32 bits) of the launch's name is taken, and where it is odd the launch is set aside. Both
 * launches of a pair share a half: of "NAME_before" and "NAME_after" the hash is that of "NAME". An
 * author of the model looks only at the other half, the held-in one; the set-aside half is looked
 * at once, when the work is done. `compare` and `gains` drop the fifth round's before they print
 * anything, unless they are asked for it by name.
 */
#ifndef FIDELITY_SET_ASIDE_H
#define FIDELITY_SET_ASIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a launch's name that belong to its pair: the name without "_before" or "_after".
 * All of them where it belongs to none. */
size_t set_aside_stem(const char *name, size_t length);
bool set_aside(const char *name, size_t length);

#endif
