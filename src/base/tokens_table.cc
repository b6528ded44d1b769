#include "base/tokens_table.h"

// The path comes from the build.
asm(".pushsection .rodata\n"
    ".balign 64\n"
    ".global lode_vocabulary\n"
    ".type lode_vocabulary, %object\n"
    "lode_vocabulary:\n"
    ".incbin \"" LODE_VOCABULARY_FILE
    "\"\n"
    ".size lode_vocabulary, . - lode_vocabulary\n"
    ".popsection\n");
