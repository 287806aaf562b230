// Opens settings of the kernel for writing; with core_pattern a crash runs a program outside, as
// root. All of /proc/sys has to be read-only.
#include "redteam/probe.h"

#include <dirent.h>

static bool any_in(const char *folder, int depth)
{
    bool found = false;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            found = entry->d_type == DT_DIR ? depth > 0 && any_in(path, depth - 1)
                                            : opens_for_writing(path);
    }
    if (list)
        closedir(list);
    return found;
}

static bool wall_is_open(void)
{
    return any_in("/proc/sys", 3) || opens_for_writing("/proc/sysrq-trigger");
}
