/* clean.h - bytes that somebody else chose (names of files, cells of a table) made into text that
 * can be shown, compared and written anywhere.
 *
 * Clean text is UTF-8 without control characters, without line ends of any kind and without the
 * marks that change the direction of writing, so that it stays within its line and its cell and
 * shows what it says.
 */
#ifndef CLASS_CLEAN_H
#define CLASS_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each returns text that the caller frees, NULL only when memory is exhausted. */

/* Clean text. A control character becomes its picture (U+2400 to U+2421), everything else that is
 * not clean becomes U+FFFD, one for each invalid byte. */
char *clean_text(const char *bytes, size_t length);
/* The same, of a cell of a table: white space becomes single spaces, and none is left outside. */
char *clean_cell(const char *bytes, size_t length);
/* What two spellings of a person's name have in common: lower case, without accents, spaces,
 * hyphens and other punctuation. "Lee, Zoë-Ann" gives "leezoeann". */
char *clean_name_key(const char *text);

/* False with the place of the first byte that does not belong there. */
bool clean_is_utf8(const char *bytes, size_t length, size_t *at);
/* The first character and how many bytes it has; 0 when they are not UTF-8. */
size_t clean_decode(const char *bytes, size_t length, uint32_t *code);

#endif
