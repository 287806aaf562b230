/* report.h - a simgpu_report on the wire: one block whose pointers are offsets from its start.
 *
 * The device writes the block that way, and the client turns the offsets back into pointers; both
 * walk the same pointers, listed here once.
 */
#ifndef SIMGPU_REPORT_H
#define SIMGPU_REPORT_H

#include "simgpu.h"

/* Visit each pointer of a report whose launches are at launches; lines_of gives a launch's lines as
 * they can be read now. */
typedef void report_visitor(void *context, const void **pointer);

static inline void report_visit_place(struct simgpu_place *place, report_visitor *visit,
                                      void *context)
{
    visit(context, (const void **)&place->file);
}

static inline void report_visit_fault(struct simgpu_fault *fault, report_visitor *visit,
                                      void *context)
{
    visit(context, (const void **)&fault->title);
    visit(context, (const void **)&fault->message);
    visit(context, (const void **)&fault->advice);
    report_visit_place(&fault->place, visit, context);
    report_visit_place(&fault->inlined, visit, context);
    report_visit_place(&fault->other, visit, context);
}

/* The pointers of one launch, but not its lines', stretches' and ledger's. */
static inline void report_visit_launch(struct simgpu_launch *launch, report_visitor *visit,
                                       void *context)
{
    visit(context, (const void **)&launch->kernel);
    visit(context, (const void **)&launch->occupancy_limit);
    visit(context, (const void **)&launch->bound);
    report_visit_fault(&launch->fault, visit, context);
}

#endif
