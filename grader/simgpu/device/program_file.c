/* program_file.c - see program_file.h. An ELF file of this machine names the libraries it needs in
 * its dynamic section, as offsets into a table of strings that is found by its address:
 *
 *     header -> program headers -> PT_DYNAMIC -> DT_NEEDED, DT_STRTAB -> PT_LOAD -> strings
 *
 * Nothing in it is trusted: each step is checked against the file's size.
 */
#include "program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    const unsigned char *bytes;
    size_t size;
};

/* count structures at offset, or NULL. */
static const void *piece(const struct image *image, uint64_t offset, uint64_t count, size_t each)
{
    bool fits = offset <= image->size && count <= (image->size - offset) / each && offset % 8 == 0;
    return fits ? image->bytes + offset : NULL;
}

static const Elf64_Phdr *segments(const struct image *image, size_t *count)
{
    const Elf64_Ehdr *header = piece(image, 0, 1, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr))
        return NULL;
    *count = header->e_phnum;
    return piece(image, header->e_phoff, header->e_phnum, sizeof(Elf64_Phdr));
}

/* The string at an address of the program, with its end in the file; or NULL. */
static const char *string_at(const struct image *image, uint64_t address)
{
    size_t count;
    const Elf64_Phdr *segment = segments(image, &count);
    for (size_t i = 0; segment && i < count; i++) {
        uint64_t into = address - segment[i].p_vaddr, place = segment[i].p_offset + into;
        if (segment[i].p_type == PT_LOAD && into < segment[i].p_filesz && place < image->size &&
            memchr(image->bytes + place, 0, image->size - place))
            return (const char *)image->bytes + place;
    }
    return NULL;
}

static const Elf64_Dyn *dynamic_section(const struct image *image, size_t *count)
{
    size_t segment_count;
    const Elf64_Phdr *segment = segments(image, &segment_count);
    for (size_t i = 0; segment && i < segment_count; i++)
        if (segment[i].p_type == PT_DYNAMIC) {
            *count = segment[i].p_filesz / sizeof(Elf64_Dyn);
            return piece(image, segment[i].p_offset, *count, sizeof(Elf64_Dyn));
        }
    return NULL;
}

/* The first library it needs whose name begins like that, or NULL. */
static const char *needed_library(const struct image *image, const char *beginning)
{
    size_t count = 0;
    const Elf64_Dyn *entry = dynamic_section(image, &count);
    uint64_t strings = 0;
    for (size_t i = 0; entry && i < count; i++)
        if (entry[i].d_tag == DT_STRTAB)
            strings = entry[i].d_un.d_ptr;
    for (size_t i = 0; entry && i < count; i++) {
        const char *name =
            entry[i].d_tag == DT_NEEDED ? string_at(image, strings + entry[i].d_un.d_val) : NULL;
        if (name && strncmp(name, beginning, strlen(beginning)) == 0)
            return name;
    }
    return NULL;
}

/* Where execvp would find it. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return true;
    }
    for (const char *at = folders ? folders : ""; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, at, length ? "/" : "", name);
        if (access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool open_image(const char *path, struct image *image)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *image = (struct image){0};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED)
            *image = (struct image){bytes, (size_t)status.st_size};
    }
    if (file >= 0)
        close(file);
    return image->bytes;
}

/* The name of the runtime that this device was built with. */
static void served_runtime(const char *library_folder, char *name, size_t bytes)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/libcudart.so.*", library_folder);
    bool known = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    snprintf(name, bytes, "%s", known ? strrchr(found.gl_pathv[0], '/') + 1 : "no libcudart");
    globfree(&found);
}

bool program_is_served(const char *name, const char *library_folder, char *complaint,
                       size_t complaint_bytes)
{
    char path[PATH_MAX], library[PATH_MAX + 256], served[64];
    struct image image;
    if (!find_program(name, path) || !open_image(path, &image))
        return true;
    const char *runtime = needed_library(&image, "libcudart.so.");
    snprintf(library, sizeof library, "%s/%.200s", library_folder, runtime ? runtime : "");
    bool is_served = !runtime || access(library, R_OK) == 0;
    if (!is_served) {
        served_runtime(library_folder, served, sizeof served);
        snprintf(complaint, complaint_bytes,
                 "%.200s needs %.40s, and this simulated device was built for %s: build one of the "
                 "two with the other's toolkit (for the device: make CUDA_HOME=folder simgpu)",
                 name, runtime, served);
    }
    munmap((void *)image.bytes, image.size);
    return is_served;
}
