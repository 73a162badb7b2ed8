/* Private to the candidates for atomicity violations: what crossings.c (blocks,
   places and instances), crossings_guards.c, crossings_windows.c and
   crossings_entries.c share. */
#ifndef OMEN_PREDICT_CROSSINGS_BUILD_H
#define OMEN_PREDICT_CROSSINGS_BUILD_H

#include "predict/covers.h"
#include "predict/crossings.h"

/* Two events of one thread; of an entry they may be one, or turned around. */
typedef struct omen_side {
  omen_eid first, second;
} omen_side;

/* Sides that locks and conflicts cannot tell apart. */
typedef struct omen_side_class {
  omen_tid thread;
  bool writes[2];        /* first, second */
  uint32_t cover[2];     /* windows: one; entries: both keep it out */
  uint32_t list;         /* windows: their entries */
  uint32_t first, count; /* in sides; entries: in order of their first */
} omen_side_class;

/* The entries for windows of two places. */
typedef struct omen_entry_list {
  uint32_t first, count; /* in entry_classes */
} omen_entry_list;

typedef struct omen_window_group {
  uint32_t first, count; /* in classes, once sorted */
} omen_window_group;

/* Buffers: their places pair up with themselves only, and those that are a
   large part of one with nothing. Nobody's block is about byte 17 and byte
   4711. */
enum omen_bulk { OMEN_BULK_NOT, OMEN_BULK_PART, OMEN_BULK_WIDE };

/* The main thread before it forks first and after it has joined everybody:
   nothing of others comes between two events there, and nothing from there
   between two events of others. */
typedef struct omen_alone {
  omen_eid before, after; /* its events below the one, from the other on */
} omen_alone;

struct omen_crossings {
  const omen_model *model;
  const omen_atomic *atomic; /* NULL: all */
  omen_group_by by;
  bool full, cut_short;
  omen_deadline deadline;
  uint8_t *chosen;  /* by block */
  uint8_t *maximal; /* by block: in no other chosen one */
  uint8_t *shared;  /* by atom: accesses of it can conflict */
  uint8_t *matters; /* by place: it has such an atom */
  uint8_t *bulk;    /* by place: omen_bulk */
  omen_alone alone;
  omen_lid *guard; /* by place: see omen_crossings_guards; or OMEN_NONE */
  omen_covers covers;
  /* entries */
  omen_map first_access, first_write; /* (maximal block, atom) -> event */
  omen_map list_of;                   /* (place, place) -> lists */
  OMEN_VEC (omen_entry_list) lists;
  OMEN_VEC (omen_side_class) entry_classes;
  OMEN_VEC (omen_side) entries;
  /* windows */
  OMEN_VEC (omen_side_class) classes;
  OMEN_VEC (omen_side) windows;
  OMEN_VEC (omen_window_group) groups;
};

#define OMEN_SIDES_MAX (1u << 24)

/* Does the block have e? */
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

/* The list of entries for two places, made on first use. */
uint32_t omen_crossings_list (omen_crossings *c, omen_pid first,
                              omen_pid second);
/* Can an entry of this class come into a window of that one? */
bool omen_crossings_compatible (const omen_crossings *c,
                                const omen_side_class *window,
                                const omen_side_class *entry);
/* Find the windows, their classes and groups, until the deadline. */
void omen_crossings_windows (omen_crossings *c);
/* Fill in alone and guard: a lock that all accesses of the place hold which can
   come between two events of another thread, writes exclusively. */
void omen_crossings_guards (omen_crossings *c);
/* The section of the guard of e's place in which e is, or OMEN_NONE. Nothing
   can come between two events of one section that conflicts with one of them.
 */
uint32_t omen_crossings_section (const omen_crossings *c, omen_eid e);
/* Fill in first_access and first_write. */
void omen_crossings_firsts (omen_crossings *c);
/* Put `sides` into classes by `class_of` (of `count` new classes, whose counts
   are set), appended to `out`. */
void omen_crossings_sort (const omen_side *sides, const omen_ids *class_of,
                          omen_side_class *classes, size_t count,
                          omen_side *out, uint32_t base);

#endif
