// Tries to leave a file in every folder and to overwrite its own program, its library and itself,
// for the next submission to find. Only /tmp and /dev/shm may take files, and they go.
#include "redteam/probe.h"

#include <dirent.h>

static bool leaves_one(const char *folder)
{
    char path[600];
    folder += strncmp(folder, "//", 2) == 0;
    snprintf(path, sizeof path, "%s/redteam-mark", folder);
    int file = open(path, O_WRONLY | O_CREAT, 0666);
    if (file >= 0)
        close(file);
    bool own = strncmp(folder, "/tmp", 4) == 0 || strncmp(folder, "/dev", 4) == 0;
    if (file >= 0 && !own)
        fprintf(stderr, "%s\n", path);
    return file >= 0 && !own;
}

static bool any_in(const char *folder, int depth)
{
    bool found = leaves_one(folder);
    DIR *list = depth > 0 ? opendir(folder) : NULL;
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.' && strcmp(path, "//proc") != 0)
            found = any_in(path, depth - 1);
    }
    if (list)
        closedir(list);
    return found;
}

static bool wall_is_open(void)
{
    return any_in("/", 3) || opens_for_writing("/quest/runner") ||
           opens_for_writing("/quest/submission.so");
}
