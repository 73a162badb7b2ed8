/* Memory with several addresses, and memory that others may write.

     fd mapped at 0x1000 and at 0x5000, whole pages      the same memory:
     omen_mappings_first (&mappings, 0x5008)             0x1008

   Accesses to a page that was mapped more than once, at several addresses or
   one after the other, count as accesses at the address where it was mapped
   first. Such memory is no block that is allocated and freed: what was written
   through one mapping is read through another one, whenever that begins.

   Where this cannot be told from the addresses alone the recording is `vague`:
   an address belonged to such memory and to something else, or an access runs
   over the end of a mapping into the next one. Then all is as recorded, and
   findings are unverified.

   Memory is *exposed* if its file is also written through descriptors, or other
   processes may have it: then a value that is read first, before any recorded
   write, need not be the initial one.

   Cost: a binary search for each access, in recordings that have such memory.
 */
#ifndef OMEN_RECORDING_LOG_MAPPINGS_H
#define OMEN_RECORDING_LOG_MAPPINGS_H

#include "base/vec.h"
#include "wire/abi.h"
#include "wire/recording.h"

#include <stdbool.h>

#define OMEN_MAPPING_PAGE 4096u

/* Part of a mapping of memory that was mapped more than once. */
typedef struct omen_mapped_part {
  uint64_t start, end;
  uint64_t first;          /* the address of `start` in its first mapping */
  uint64_t offset, object; /* what it is */
} omen_mapped_part;

typedef struct omen_mapped_range {
  uint64_t start, end;
} omen_mapped_range;

typedef struct omen_mappings {
  OMEN_VEC (omen_file_mapping) list;    /* in the order of time */
  OMEN_VEC (omen_mapped_part) parts;    /* by address; they do not overlap */
  OMEN_VEC (omen_mapped_range) exposed; /* by address, likewise */
  bool vague;
  bool unify; /* cursors give addresses of first mappings (from the scan on) */
} omen_mappings;

void omen_mappings_fini (omen_mappings *mappings);
/* False: it has impossible addresses. */
bool omen_mappings_add (omen_mappings *mappings, const omen_file_mapping *new);
/* Once the list is complete. */
void omen_mappings_settle (omen_mappings *mappings);
/* Forgets the parts. */
void omen_mappings_give_up (omen_mappings *mappings);

/* The part that has the address, or NULL. */
const omen_mapped_part *omen_mappings_find (const omen_mappings *mappings,
                                            uint64_t address);
uint64_t omen_mappings_first (const omen_mappings *mappings, uint64_t address);
/* Does some of it belong to memory that was mapped more than once? */
bool omen_mappings_overlap (const omen_mappings *mappings, uint64_t address,
                            uint64_t length);
bool omen_mappings_exposed (const omen_mappings *mappings, uint64_t address);

/* Does an item of this kind access the memory at its address? */
static inline bool
omen_mappings_concern (unsigned kind)
{
  return kind == OMEN_SITE_LOAD || kind == OMEN_SITE_STORE
         || kind == OMEN_SITE_EXTERNAL || kind == OMEN_ITEM_RANGE_READ
         || kind == OMEN_ITEM_RANGE_WRITE || kind == OMEN_ITEM_EXTERNAL
         || kind == OMEN_ITEM_ATOMIC;
}

#endif
