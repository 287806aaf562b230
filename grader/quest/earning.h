/* earning.h - what a learner has earned: bands of lessons, achievements, experience, a level.
 *
 * A pure function of the records of their checks, in order; earning.def has the rules. Nothing is
 * taken away by a later record. Set it up with earning_start, add the records of whole checks of
 * the learner's own exercises, and end it with earning_free.
 */
#ifndef QUEST_EARNING_H
#define QUEST_EARNING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum earning_band {
#define BAND(name, experience) EARNING_##name,
#include "quest/earning.def"
};

enum achievement {
#define COUNTER(name, title, counter, from, to, asks) ACHIEVEMENT_##name,
#define OTHER(name, title, asks) ACHIEVEMENT_##name,
#include "quest/earning.def"
    ACHIEVEMENTS
};

enum { MOST_LESSONS = 64, ACHIEVEMENT_EXPERIENCE = 25 };

/* What the records of one lesson have shown so far. */
struct earning_lesson {
    enum earning_band band;
    double best_ratio;          /* of the reference's speed; 0 if there is none */
    bool best_is_measured;      /* on a GPU; otherwise it is modelled */
    double worst[ACHIEVEMENTS]; /* the worst value of that one's counter; NAN if there is none */
    double slowest[2];          /* the least ratio, modelled and measured; NAN if there is none */
    bool raced;
    int wrong;         /* elements, in the last check that had some */
    json_t *last_told; /* the timed cases of the last check that came to counters, or NULL */
};

struct earning {
    struct earning_lesson lessons[MOST_LESSONS];
    size_t count;                    /* lessons of the course */
    char figures[ACHIEVEMENTS][100]; /* what earned it; "" if it is open */
};

/* False if the course has more than MOST_LESSONS lessons. */
bool earning_start(struct earning *earning, size_t lessons);
/* lesson: its index in the course, below count. */
void earning_add(struct earning *earning, size_t lesson, const json_t *record);
void earning_free(struct earning *earning);

int earning_experience(const struct earning *earning);
/* From 1. */
int earning_level(int experience);
int earning_levels(void);
const char *earning_level_name(int level);
/* The experience that a level begins at. */
int earning_level_at(int level);
const char *earning_band_name(enum earning_band band);
const char *achievement_title(enum achievement achievement);
/* A phrase of at most 35 columns. */
const char *achievement_asks(enum achievement achievement);

#endif
