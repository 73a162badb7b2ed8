/* A set of strings with dense ids, in order of first appearance.

     omen_names_id (names, "x", 1) == 0
     omen_names_id (names, "y", 1) == 1
     omen_names_id (names, "x", 1) == 0
     omen_names_text (names, 1)    is "y"

   Names may hold any byte but are returned NUL-terminated. Ids stay valid, and
   so do the strings, until fini. Lookup is one hash probe in the common
   case. */
#ifndef OMEN_BASE_NAMES_H
#define OMEN_BASE_NAMES_H

#include "base/mem.h"

typedef struct omen_name {
  const char *text;
  uint32_t length;
  uint32_t hash;
} omen_name;

typedef struct omen_names {
  omen_name *names; /* by id */
  uint32_t *slots;  /* hash table of id + 1; 0 is empty */
  uint32_t count, room, mask;
  omen_arena arena;
} omen_names;

void omen_names_init (omen_names *names);
void omen_names_fini (omen_names *names);
/* The id of the string, which is added if it is new. */
uint32_t omen_names_id (omen_names *names, const char *text, size_t length);
/* The id, or OMEN_NONE. */
uint32_t omen_names_find (const omen_names *names, const char *text,
                          size_t length);
/* Adds the string with a new id even if it has one (for a block whose name is
   reused); find and id return the newest. */
uint32_t omen_names_again (omen_names *names, const char *text, size_t length);
const char *omen_names_text (const omen_names *names, uint32_t id);

#endif
