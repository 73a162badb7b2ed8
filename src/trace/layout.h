/* What variables are made of, as debug information says: names for parts of
   them.

     struct { int port; struct { char x, y; } at[3]; } cfg;

     layout 0   { x: bits 0 … 7, y: 8 … 15 }
     layout 1   array, one member: bits 0 … 15, layout 0
     layout 2   { port: 0 … 31, at: 32 … 79, layout 1 }
     shape of the variable cfg: layout 2

   The place cfg+6:2 is then cfg, cfg.at, cfg.at[1], cfg.at[1].x, cfg.at[1].y
   and, an element of an array being as good as another, cfg.at.x and cfg.at.y.

   A layout without members is that of a number: of an integer without sign, if
   it says so, else of a float or double, by its size.

   A layout only has members with layouts before it, so there are no circles.
   Members may overlap (unions, bit-fields). Members without a name are bases
   and anonymous structs: what is in them is in their owner. A variable that the
   compiler has divided has one shape for each piece: `from` says where in the
   layout it begins.

   Owned by the trace; names are its strings. */
#ifndef OMEN_TRACE_LAYOUT_H
#define OMEN_TRACE_LAYOUT_H

#include "base/vec.h"
#include "wire/event.h"
#include "wire/format.h"

typedef struct omen_layout_member {
  uint32_t name;      /* string, or OMEN_NONE */
  uint32_t layout;    /* OMEN_NONE: it has no parts */
  uint64_t bit, bits; /* where in its owner, how many */
  bool is_signed;     /* an integer with sign */
} omen_layout_member;

typedef struct omen_layout {
  uint32_t first, count; /* members */
  bool is_array;         /* the one member is its element */
  bool is_unsigned;      /* it has none, and is such an integer */
} omen_layout;

typedef struct omen_variable_shape {
  uint32_t layout; /* or OMEN_NONE */
  uint32_t source; /* string: its name in the source, where that is another than
                      the variable's; or OMEN_NONE */
  uint64_t from;   /* byte of the layout where the variable begins */
} omen_variable_shape;

typedef struct omen_layouts {
  OMEN_VEC (omen_layout) list;
  OMEN_VEC (omen_layout_member) members;
  OMEN_VEC (omen_variable_shape)
  shapes; /* by variable; those beyond have none */
} omen_layouts;

#define OMEN_NO_SHAPE ((omen_variable_shape){ OMEN_NONE, OMEN_NONE, 0 })
/* No variable has more bits; what says so is not believed. */
#define OMEN_LAYOUT_BITS ((uint64_t)1 << 36)

void omen_layouts_fini (omen_layouts *layouts);
/* A layout whose members are the last `count`; flags as in files. */
uint32_t omen_layouts_add (omen_layouts *layouts, uint32_t count,
                           uint32_t flags);
uint32_t omen_layout_flags (const omen_layout *layout);
void omen_layouts_shape (omen_layouts *layouts, omen_vid variable,
                         omen_variable_shape shape);
omen_variable_shape omen_layouts_of (const omen_layouts *layouts,
                                     omen_vid variable);

bool omen_layout_is_real (const omen_layouts *layouts, uint32_t layout);
bool omen_layout_is_unsigned (const omen_layouts *layouts, uint32_t layout);

/* Where what a name stands for is, in bits from the start of the place; it may
   begin before and end after it. */
typedef struct omen_bit_range {
  int64_t bit;
  uint64_t bits;
  bool is_signed, is_real;
  int64_t owner; /* where what has it begins: the struct of a member, the array
                    of an element */
  bool is_unsigned; /* an integer that is known to have no sign */
} omen_bit_range;

/* A name for something that the place is a part of, or that is a part of it.
   True: go on with what it is made of. */
typedef bool (*omen_part_visit) (void *data, const char *name,
                                 const omen_bit_range *part);

struct omen_trace;
struct omen_place;

/* Every name of the place but that of its variable, which begins them all. Each
   level comes before what it is made of. At most OMEN_PARTS_MAX. */
#define OMEN_PARTS_MAX ((uint32_t)1 << 22)
void omen_parts_visit (const struct omen_trace *trace,
                       const struct omen_place *place, const char *variable,
                       omen_part_visit visit, void *data);

/* The name of the smallest thing that the place is all in: `table[3].key`; that
   of its variable where no more is known, or there is no room for it. */
#define OMEN_PART_NAME_MAX 256
char *omen_part_name (const struct omen_trace *trace,
                      const struct omen_place *place,
                      char name[OMEN_PART_NAME_MAX]);

#endif
