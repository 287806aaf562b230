/* auxv.h - nothing that the host's elf.h needs of it is used. */
