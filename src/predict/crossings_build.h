/* Private to the candidates for atomicity violations: shared by crossings.c
   (blocks, places, tuples), crossings_guards.c, crossings_windows.c and
   crossings_entries.c. */
#ifndef OMEN_PREDICT_CROSSINGS_BUILD_H
#define OMEN_PREDICT_CROSSINGS_BUILD_H

#include "predict/covers.h"
#include "predict/crossings.h"

/* Two events of one thread. The two of an entry may be the same event, or in
   reverse order. */
typedef struct omen_side {
  omen_eid first, second;
} omen_side;

/* Sides with the same thread, kinds and locks, which get the same answer from
   locks and conflicts. */
typedef struct omen_side_class {
  omen_tid thread;
  bool writes[2];        /* first, second */
  uint32_t cover[2];     /* windows: one set; entries: both sets keep it out */
  uint32_t list;         /* windows: their entries */
  uint32_t first, count; /* in sides; entries: in order of their first */
} omen_side_class;

/* The entries for windows with a given pair of places. */
typedef struct omen_entry_list {
  uint32_t first, count; /* in entry_classes */
} omen_entry_list;

typedef struct omen_window_group {
  uint32_t first, count; /* in classes, once sorted */
} omen_window_group;

/* Places of buffers are paired only with themselves, and large parts of
   buffers with nothing: no block is meant to relate byte 17 to byte 4711. */
enum omen_bulk { OMEN_BULK_NOT, OMEN_BULK_PART, OMEN_BULK_WIDE };

/* The events of the main thread before its first fork and after all other
   threads have ended: no window there is entered, and no entry comes from
   there. */
typedef struct omen_alone {
  omen_eid before, after; /* events below `before`, and from `after` on */
} omen_alone;

struct omen_crossings {
  const omen_model *model;
  const omen_atomic *atomic; /* NULL: all blocks */
  omen_group_by by;
  bool full, cut_short;
  omen_deadline deadline;
  uint8_t *chosen;  /* by block */
  uint8_t *maximal; /* by block: in no other chosen block */
  uint8_t *shared;  /* by atom: some accesses of it conflict */
  uint8_t *matters; /* by place: has a shared atom */
  uint8_t *bulk;    /* by place: omen_bulk */
  omen_alone alone;
  omen_lid *guard; /* by place: the lock that guards it (omen_crossings_guards),
                      or OMEN_NONE */
  omen_covers covers;
  /* entries */
  omen_map first_access, first_write; /* (maximal block, atom) -> event */
  omen_map list_of;                   /* (place, place) -> lists */
  OMEN_VEC (omen_entry_list) lists;
  OMEN_VEC (omen_side_class) entry_classes;
  OMEN_VEC (omen_side) entries;
  omen_ids least; /* by entry: the least event of it and those behind it in its
                     class */
  const omen_quick *quick; /* or NULL */
  /* windows */
  OMEN_VEC (omen_side_class) classes;
  OMEN_VEC (omen_side) windows;
  OMEN_VEC (omen_window_group) groups;
};

#define OMEN_SIDES_MAX (1u << 24)

/* Is e inside the block? */
static inline bool
omen_block_has (const omen_model_region *block, omen_eid e)
{
  return block->open < e && (block->close == OMEN_NONE || block->close > e);
}

static inline bool
omen_takes_part (const omen_event *event)
{
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

/* The list of entries for windows over two places; built when first needed. */
uint32_t omen_crossings_list (omen_crossings *c, omen_pid first,
                              omen_pid second);
/* Can an entry of this class come into a window of that one, as far as
   threads, kinds and locks go? */
bool omen_crossings_compatible (const omen_crossings *c,
                                const omen_side_class *window,
                                const omen_side_class *entry);
/* Find windows, their classes and groups; stops at the deadline. */
void omen_crossings_windows (omen_crossings *c);
/* Fill in `alone` and `guard`. The guard of a place is a lock that all its
   accesses hold except those in `alone`; writes hold it in write mode. */
void omen_crossings_guards (omen_crossings *c);
/* The critical section, of the guard of e's place, that contains e; or
   OMEN_NONE. No conflicting access can come between two events of the same
   one. */
uint32_t omen_crossings_section (const omen_crossings *c, omen_eid e);
/* Fill in first_access and first_write. */
void omen_crossings_firsts (omen_crossings *c);
/* Group `sides` by class: `class_of` has the class of each, among `count` new
   classes whose counts are set. Written to `out`. */
void omen_crossings_sort (const omen_side *sides, const omen_ids *class_of,
                          omen_side_class *classes, size_t count,
                          omen_side *out, uint32_t base);

#endif
