/* image.h - one case in memory: every buffer of it between guard zones, in a single block.
 *
 *     | guard | x        | guard | pad | y        | guard | pad | out (poison) | guard |
 *             ^ aligned + offset       ^ aligned + offset
 *
 * The image is made on the host and copied to the device whole; after the launch it is copied back
 * whole, and every byte of it is checked: guards and inputs must be unchanged, and outputs are
 * compared with the truth. A buffer ends exactly where the next guard begins, so that an access one
 * element too far is noticed. Guards hold keyed random bytes, so no submission can restore what it
 * overwrote.
 *
 * Order of calls: image_make, image_poison, (copy to the device, launch, copy back),
 * image_damage, image_free.
 */
#ifndef EXAMINE_IMAGE_H
#define EXAMINE_IMAGE_H

#include "check/judge.h"

enum { IMAGE_GUARD_BYTES = 4096, IMAGE_ALIGNMENT = 256 };

/* A page of device memory: cudaMalloc begins large buffers at one, so timed cases do. */
enum { IMAGE_PAGE_BYTES = 2 << 20 };

struct image_part {
    struct judge_buffer buffer;
    uint64_t offset; /* of the buffer in the image */
    uint64_t size_bytes;
    size_t home; /* its own index, or that of the input it aliases */
};

struct image {
    struct image_part part[JUDGE_MOST_BUFFERS];
    size_t count;
    uint64_t total_bytes;
    unsigned char *bytes; /* as copied to the device; NULL if only laid out */
};

/* The contents of outputs before a launch: NaNs, so that an unwritten element cannot pass for an
 * answer; large finite numbers, so that a NaN cannot either; or drawn floats, all different, which
 * look like answers, so that no kernel can recognise poison. */
enum image_poison { IMAGE_POISON_NAN, IMAGE_POISON_LARGE, IMAGE_POISON_DRAWN };

/* Compute the position of everything, and the total size, in multiples of alignment:
 * IMAGE_ALIGNMENT or IMAGE_PAGE_BYTES. No memory is allocated. */
void image_layout(const struct judge *judge, const struct judge_case *problem, uint64_t alignment,
                  struct image *image);
/* Lay out, and fill guards and inputs from seed. False when memory is exhausted. */
bool image_make(const struct judge *judge, const struct judge_case *problem, uint64_t seed,
                struct image *image);
void image_free(struct image *image);

void image_poison(struct image *image, enum image_poison poison, uint64_t seed);
/* Drawn poison: count elements of the stream of seed. */
void image_draw_poison(enum judge_type type, uint64_t seed, uint64_t count, void *to);
/* The byte that fills an unwritten output of that type, if all are alike. */
unsigned char image_poison_byte(enum judge_type type, enum image_poison poison);

bool image_is_output(const struct image_part *part);
/* Is an output of the case also an input? Then a second launch over what the first one left is
 * another call, and after a launch its inputs are gone. */
bool image_is_in_place(const struct image *image);

/* Something that a launch changed but must not. */
struct image_damage {
    enum { IMAGE_INTACT, IMAGE_GUARD_DAMAGED, IMAGE_INPUT_CHANGED } kind;
    size_t part;             /* the buffer it belongs to or lies next to */
    bool before;             /* the guard in front of the buffer */
    uint64_t distance_bytes; /* from the buffer's edge; from its start for an input */
};
void image_find_damage(const struct image *image, const unsigned char *after,
                       struct image_damage *damage);

#endif
