/* What sites depend on, as a recorder's file says it (OMEN_CHUNK_DEPENDS).

     omen_notes_depends_add (&depends, &entry, numbers)
     const omen_noted_depend *d = omen_notes_depend (&depends, site);
     d->access        which access of the code the site belongs to
     depends->on …    accesses whose last reads it depends on

   (unit, number) of the file are dense ids here, accesses. */
#ifndef OMEN_RECORDING_LOG_DEPENDS_H
#define OMEN_RECORDING_LOG_DEPENDS_H

#include "base/map.h"
#include "base/vec.h"
#include "wire/recording.h"

typedef struct omen_noted_depend {
  uint32_t access;
  bool free;             /* a read that only the named accesses depend on */
  uint32_t first, count; /* in `on` */
} omen_noted_depend;

typedef struct omen_notes_depends {
  OMEN_VEC (omen_noted_depend) list;
  omen_ids on;
  omen_map by_site;  /* site -> index in list */
  omen_map units;    /* unit -> number */
  omen_map accesses; /* (number of the unit, number) -> access */
} omen_notes_depends;

void omen_notes_depends_init (omen_notes_depends *depends);
void omen_notes_depends_fini (omen_notes_depends *depends);
/* Nothing is known about any site. */
void omen_notes_depends_forget (omen_notes_depends *depends);
/* False if the entry is malformed, or the site already has one. */
bool omen_notes_depends_add (omen_notes_depends *depends,
                             const omen_file_depend *entry,
                             const uint8_t *numbers);
/* NULL: the site's code was not analysed, or depends on nothing special. */
const omen_noted_depend *omen_notes_depend (const omen_notes_depends *depends,
                                            uint32_t site);

#endif
