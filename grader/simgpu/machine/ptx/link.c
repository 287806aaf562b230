/* link.c - the texts of a program that was compiled in pieces (nvcc -rdc=true), as one module.
 *
 * They come one after the other, each with a .version of its own. What one declares .extern,
 * another defines; of what several define (.weak, from headers), the first counts. A name without
 * any such word is known only in its own text, and so are the numbers of its .file directives.
 */
#include "parser_internal.h"

#include <string.h>

void link_begin_text(struct parser *parser)
{
    const struct ptx_module *module = parser->module;
    for (size_t i = parser->first_function; i < module->function_count; i++)
        if (!module->functions[i].linked)
            names_hide(&parser->names, module->functions[i].name);
    parser->first_function = module->function_count;
    parser->first_file = module->file_count;
    parser->location = 0;
    parser->texts++;
}

/* A name finds what was entered last: since definitions are entered from last to first, that is the
 * first of them. */
void link_variables(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    for (size_t i = module->variable_count; i-- > 0;)
        if (module->variables[i].linked && !module->variables[i].external)
            parser_put(parser, module->variables[i].name, NAME_VARIABLE, i);
    for (size_t i = 0; i < module->variable_count; i++) {
        struct ptx_variable *variable = &module->variables[i];
        int kind;
        uint32_t defined;
        if (!variable->linked || !names_get(&parser->names, variable->name, &kind, &defined) ||
            kind != NAME_VARIABLE || defined == i || module->variables[defined].external)
            continue;
        variable->external = true;
        variable->stands_for = defined + 1;
    }
}
