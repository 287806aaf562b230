/* libraries.c - lets the dynamic linker look for each library, as the runner's will. */
#include "runner/libraries.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* What nvcc and g++ link everything with, and what those libraries need. */
static const char *const SYSTEM[] = {"libc.so.6",       "libm.so.6",  "libdl.so.2",
                                     "libpthread.so.0", "librt.so.1", "libgcc_s.so.1",
                                     "libstdc++.so.6"};

/* Where NVIDIA's driver keeps its parts under WSL2. */
static const char WSL[] = "/usr/lib/wsl";

/* Inside bubblewrap they are in one folder of ours, so that no path tells where the course is. */
static const char INSIDE[] = "/quest/lib";

/* Where the dynamic linker finds it; empty when it does not. */
static struct path find(const char *name)
{
    struct link_map *map = NULL;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    struct path path = path_of("%s", "");
    if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] == '/')
        path = path_of("%s", map->l_name);
    return path; /* it stays loaded: some fail when they are unloaded */
}

struct path libraries_folder(int version)
{
    char name[32];
    snprintf(name, sizeof name, "libcudart.so.%d", version);
    struct path library = find(name), folder = *library.text ? path_real(library.text) : library;
    char *slash = strrchr(folder.text, '/');
    if (slash)
        *slash = '\0';
    return folder;
}

/* The dynamic linker itself, which the kernel loads by the name in a program. */
static int show_linker(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (info->dlpi_addr == getauxval(AT_BASE) && info->dlpi_name[0] == '/') {
        sandbox_show(context, info->dlpi_name, NULL);
        return 1;
    }
    return 0;
}

static void show_all(struct sandbox *sandbox, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            sandbox_show(sandbox, found.gl_pathv[i], NULL);
    globfree(&found);
}

/* libcuda and the parts that it loads by itself: the compiler of PTX, and the like. */
static void show_driver(struct sandbox *sandbox)
{
    struct path driver = find("libcuda.so.1");
    char *slash = strrchr(driver.text, '/');
    if (slash)
        *slash = '\0';
    if (*driver.text) {
        show_all(sandbox, path_of("%s/libcuda*.so*", driver.text).text);
        show_all(sandbox, path_of("%s/libnvidia-*.so*", driver.text).text);
    }
    sandbox_show(sandbox, WSL, NULL);
}

/* The first folder of the list that has the file. */
static void show_from(struct sandbox *sandbox, const char *folders, const char *name)
{
    struct path all = path_of("%s", folders);
    char *rest = all.text, *folder;
    while ((folder = strsep(&rest, ":"))) {
        struct path file = path_of("%s/%s", folder, name);
        if (*folder == '/' && file_exists(file.text)) {
            sandbox_show(sandbox, file.text, path_of("%s/%s", INSIDE, name).text);
            return;
        }
    }
}

void libraries_show(struct sandbox *sandbox, const char *folder, const char *more,
                    const char *const *allowed, int major, bool gpu)
{
    struct path folders = path_of("%s%s%s", folder, more ? ":" : "", more ? more : "");
    dl_iterate_phdr(show_linker, sandbox);
    for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; i++) {
        struct path library = find(SYSTEM[i]);
        if (*library.text)
            sandbox_show(sandbox, library.text, NULL);
    }
    sandbox_show(sandbox, "/etc/ld.so.cache", NULL);
    if (gpu)
        show_driver(sandbox);
    else /* the runtime hands out the driver's functions, which are the runtime's there */
        show_from(sandbox, folders.text, "libcuda.so.1");
    show_from(sandbox, folders.text, path_of("libcudart.so.%d", major).text);
    for (; allowed && *allowed; allowed++)
        show_from(sandbox, folders.text, path_of("lib%s.so.%d", *allowed, major).text);
    sandbox_set(sandbox, "LD_LIBRARY_PATH", sandbox_name(sandbox, folders.text, INSIDE));
}
