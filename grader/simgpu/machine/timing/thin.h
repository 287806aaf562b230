/* thin.h - schedules without some of their arithmetic, for the time in which a launch with fewer
 * instructions is modelled. */
#ifndef SIM_THIN_H
#define SIM_THIN_H

#include "mend.h"

/* With SIM_MEND_INSTRUCTIONS: let ops of the launch's module cost nothing, so that mend->share is
 * left of all machine instructions that the launch issues. Accesses, barriers and branches stay.
 * Nothing else may model a launch of the module until thin_undo. False when memory is exhausted:
 * then, too, thin_undo is to be called. */
bool thin(const struct mend *mend);
void thin_undo(const struct mend *mend);

#endif
