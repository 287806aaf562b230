/* roofline.h - draws a device's measured ceilings: the roofline, and the copy rate over sizes. */
#ifndef CHECK_ROOFLINE_H
#define CHECK_ROOFLINE_H

#include "lib/terminal.h"

#include <jansson.h>

/* ceilings as in ceilings.h; nothing is printed for NULL. */
void roofline_print(const json_t *ceilings, const struct terminal *terminal);

#endif
