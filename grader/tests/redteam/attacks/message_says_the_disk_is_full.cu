// The same in a message and in an assembler's words, with an error that is the submission's own.
#pragma message "fatal error: error writing to -: No space left on device"
asm(".error \"No space left on device\"");
