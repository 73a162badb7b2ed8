/* Atoms (doc/semantics.md, section 1): the segments into which the byte ranges
   of a trace cut each variable.

     places x+0:8, x+4:2    atoms x+0:4, x+4:2, x+6:2; place 0 covers all three

   Invariants: the atoms of a variable are consecutive and ascending; so are
   those of a place. Each atom is covered by some place. A whole place covers
   every atom of its variable, gaps and the open end included.

   Most variables have one place and hence one atom. Cost: sorting the places of
   the others. */
#ifndef OMEN_TRACE_ATOMS_H
#define OMEN_TRACE_ATOMS_H

#include "trace/trace.h"

/* A range of another table. */
typedef struct omen_span {
  uint32_t first, count;
} omen_span;

typedef struct omen_atoms {
  omen_place *atoms; /* size OMEN_WHOLE: to the end of the variable */
  uint32_t count;
  omen_span *place;   /* by place: its atoms */
  uint32_t *variable; /* by variable: first atom; one entry more */
} omen_atoms;

void omen_atoms_init (omen_atoms *atoms, const omen_trace *trace);
void omen_atoms_fini (omen_atoms *atoms);

/* What is known of the value that an access or init line gives one atom of its
   place (semantics.md: "Value of a write or read on an atom"). */
typedef enum omen_value_class {
  OMEN_CLASS_BYTES,
  OMEN_CLASS_TOKEN,
  OMEN_CLASS_WHOLE,
  OMEN_CLASS_NOTHING
} omen_value_class;

typedef struct omen_atom_value {
  uint64_t bits;
  uint32_t position; /* TOKEN: of the atom in the access */
  uint8_t kind;      /* TOKEN, WHOLE: omen_value_kind, BIG as INT */
  uint8_t class;     /* omen_value_class */
} omen_atom_value;

static inline omen_atom_value
omen_atom_value_of (const omen_place *place, const omen_place *atom,
                    unsigned value_kind, uint64_t value)
{
  omen_atom_value v = { value, 0, (uint8_t)value_kind, OMEN_CLASS_WHOLE };
  if (value_kind == OMEN_VALUE_NONE) {
    v.class = OMEN_CLASS_NOTHING;
    return v;
  }
  if (v.kind == OMEN_VALUE_BIG)
    v.kind = OMEN_VALUE_INT;
  if (place->size == OMEN_WHOLE)
    return v;
  if (v.kind != OMEN_VALUE_INT) {
    v.class = OMEN_CLASS_TOKEN;
    v.position = atom->offset - place->offset;
  } else if (place->size > 8) {
    v.class = OMEN_CLASS_NOTHING;
  } else {
    v.class = OMEN_CLASS_BYTES;
    v.bits = value >> 8 * (atom->offset - place->offset);
    if (atom->size < 8)
      v.bits &= ((uint64_t)1 << 8 * atom->size) - 1;
  }
  return v;
}

static inline bool
omen_atom_value_comparable (const omen_atom_value *a, const omen_atom_value *b)
{
  return a->class == b->class && a->class != OMEN_CLASS_NOTHING;
}

/* Of comparable values. */
static inline bool
omen_atom_value_equal (const omen_atom_value *a, const omen_atom_value *b)
{
  return a->bits == b->bits && a->position == b->position && a->kind == b->kind;
}

#endif
