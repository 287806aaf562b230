/* show_entry.h - `make entry`: the whole text of an entry of a corpus, also of a patch. */
#ifndef CHECK_SHOW_ENTRY_H
#define CHECK_SHOW_ENTRY_H

#include "check/course.h"
#include "check/patch.h"
#include "lib/terminal.h"

/* name is "06_gemm/wrong/table_full", or the path of its file. Of a patch, the text is kept in
 * build/corpus as well, if the patch applies exactly. Returns an exit status. */
int show_entry(const struct course *course, const char *name, enum patch_place place,
               const struct terminal *terminal);

#endif
