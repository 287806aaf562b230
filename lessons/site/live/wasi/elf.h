/* elf.h - the host's: the format is the same everywhere. */
#include "/usr/include/elf.h"
