/* program_file.h - what a program's file says before it is started. */
#ifndef DEVICE_PROGRAM_FILE_H
#define DEVICE_PROGRAM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Can the program be served? False, with a sentence in complaint, when it asks for a libcudart of
 * another version than those in library_folder: the loader would find none, or NVIDIA's. name is
 * looked for as execvp does; a file that is not ELF, such as a script, is not examined. */
bool program_is_served(const char *name, const char *library_folder, char *complaint,
                       size_t complaint_bytes);

#endif
