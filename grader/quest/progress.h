/* progress.h - the file that keeps a learner's checks, one SQLite database for all clones of the
 * course: it survives `rm -rf build`.
 *
 * It is $WARPQUEST_PROGRESS, or $XDG_DATA_HOME/warpquest/progress.db, by default
 * ~/.local/share/warpquest/progress.db (XDG Base Directory Specification). For another course than
 * the program's own, as tests have it, it is BUILD/progress.db. Rows are only ever added, so
 * nothing that was earned is lost by a worse check. Nothing leaves the machine.
 */
#ifndef QUEST_PROGRESS_H
#define QUEST_PROGRESS_H

#include "check/course.h"
#include "lib/database.h"

struct path progress_path(const struct course *course);
/* NULL if there is none yet, and create is false; or if it cannot be used: then a sentence that
 * names it is in reason, which is "" otherwise. Records that older versions kept in build/records
 * are taken over. Close it with sqlite3_close. */
sqlite3 *progress_open(const struct course *course, bool create, char *reason, size_t reason_bytes);
/* Is it a sound progress file of this version? False with a sentence that does not name it. */
bool progress_can_be_read(const char *path, char *reason, size_t reason_bytes);
/* Says once why checks cannot be read, if reason is not "": a lesson that was passed must not look
 * as if it had not been tried. */
void progress_tell(const char *reason);

#endif
