#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/tree.h>

// xmlFree is a variable with a function, which Swift does not call safely.
static inline void hunch_xml_free(void *memory) { xmlFree(memory); }
