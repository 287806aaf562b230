/* page.c - page.css as it is, zero-terminated, for profile_html.c. The assembler finds it from the
 * root of the tree, where make runs. */
__asm__(".section .rodata\n"
        ".global page_css\n"
        "page_css:\n"
        ".incbin \"grader/simgpu/device/page.css\"\n"
        ".byte 0\n"
        ".text\n");
