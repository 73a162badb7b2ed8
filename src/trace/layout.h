/* The types of variables, from debug information: they give names to parts of
   variables.

     struct { int port; struct { char x, y; } at[3]; } cfg;

     layout 0   { x: bits 0 … 7, y: 8 … 15 }
     layout 1   array, one member: bits 0 … 15, layout 0
     layout 2   { port: 0 … 31, at: 32 … 79, layout 1 }
     shape of the variable cfg: layout 2

   The place cfg+6:2 is then cfg, cfg.at, cfg.at[1], cfg.at[1].x, cfg.at[1].y,
   and also cfg.at.x and cfg.at.y, which name a member of any element.

   A layout without members is a number: an unsigned integer if it says so, else
   a float or double, according to its size.

   A layout refers only to layouts before it, so there are no cycles. Members
   may overlap (unions, bit-fields). Members without a name are base classes and
   anonymous structs: their members are named as those of the owner. If the
   compiler splits a variable, each piece has a shape of its own, and `from`
   says where in the layout it begins.

   Owned by the trace; names are in its table of strings. */
#ifndef OMEN_TRACE_LAYOUT_H
#define OMEN_TRACE_LAYOUT_H

#include "base/vec.h"
#include "wire/event.h"
#include "wire/format.h"

typedef struct omen_layout_member {
  uint32_t name;      /* string, or OMEN_NONE */
  uint32_t layout;    /* OMEN_NONE: it has no parts */
  uint64_t bit, bits; /* position in its owner, and size */
  bool is_signed;     /* an integer with sign */
} omen_layout_member;

typedef struct omen_layout {
  uint32_t first, count; /* members */
  bool is_array;         /* the only member is its element type */
  bool is_unsigned;      /* no members: an unsigned integer */
} omen_layout;

typedef struct omen_variable_shape {
  uint32_t layout; /* or OMEN_NONE */
  uint32_t source; /* string: its name in the source, or OMEN_NONE if that is
                      the variable's name */
  uint64_t from;   /* byte of the layout where the variable begins */
} omen_variable_shape;

typedef struct omen_layouts {
  OMEN_VEC (omen_layout) list;
  OMEN_VEC (omen_layout_member) members;
  OMEN_VEC (omen_variable_shape)
  shapes; /* by variable; those beyond the end have none */
  OMEN_VEC (uint32_t)
  types; /* of blocks, by variable: strings such as "struct item", or OMEN_NONE;
            not in trace files */
} omen_layouts;

#define OMEN_NO_SHAPE ((omen_variable_shape){ OMEN_NONE, OMEN_NONE, 0 })
/* Limit of offsets and sizes; greater ones in a file are an error in it. */
#define OMEN_LAYOUT_BITS ((uint64_t)1 << 36)

void omen_layouts_fini (omen_layouts *layouts);
/* Add a layout of the last `count` members; flags as in binary traces. */
uint32_t omen_layouts_add (omen_layouts *layouts, uint32_t count,
                           uint32_t flags);
uint32_t omen_layout_flags (const omen_layout *layout);
void omen_layouts_shape (omen_layouts *layouts, omen_vid variable,
                         omen_variable_shape shape);
void omen_layouts_type (omen_layouts *layouts, omen_vid variable,
                        uint32_t type);
uint32_t omen_layouts_type_of (const omen_layouts *layouts, omen_vid variable);
omen_variable_shape omen_layouts_of (const omen_layouts *layouts,
                                     omen_vid variable);

bool omen_layout_is_real (const omen_layouts *layouts, uint32_t layout);
bool omen_layout_is_unsigned (const omen_layouts *layouts, uint32_t layout);

/* The range of a named part, in bits from the start of the place; it may begin
   before the place and end after it. */
typedef struct omen_bit_range {
  int64_t bit;
  uint64_t bits;
  bool is_signed, is_real;
  int64_t owner;    /* start of the struct or array that it is a part of */
  bool is_unsigned; /* known to be an unsigned integer */
} omen_bit_range;

/* Called with the name of something that contains the place, or is a part of
   it. Return true to visit its parts, too. */
typedef bool (*omen_part_visit) (void *data, const char *name,
                                 const omen_bit_range *part);

struct omen_trace;
struct omen_place;

/* Visit all names of parts that overlap the place, each one before its own
   parts. All begin with the name of the variable, which is not visited itself.
   At most OMEN_PARTS_MAX names. */
#define OMEN_PARTS_MAX ((uint32_t)1 << 22)
void omen_parts_visit (const struct omen_trace *trace,
                       const struct omen_place *place, const char *variable,
                       omen_part_visit visit, void *data);

/* The name of the smallest part that contains the whole place: `table[3].key`.
   The variable's name if no part is known or its name is too long. */
#define OMEN_PART_NAME_MAX 256
char *omen_part_name (const struct omen_trace *trace,
                      const struct omen_place *place,
                      char name[OMEN_PART_NAME_MAX]);

#endif
