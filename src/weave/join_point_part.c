/* The names of an access: that of the variable, and those of the parts that it
   overlaps. */
#include "weave/join_point.h"

#include <string.h>

/* ---- by what is known beforehand ---- */

typedef struct search {
  const char *pattern;
  bool found;
  omen_weave_part part;
} search;

static bool
fits_part (void *data, const char *name, const omen_weave_part *part)
{
  search *s = data;
  if (!s->found && omen_pattern_fits (s->pattern, name)) {
    s->found = true;
    s->part = *part;
  }
  return !s->found && omen_pattern_may_begin (s->pattern, name);
}

static bool
fits_here (const omen_weave_spot *spot, const char *pattern,
           omen_weave_match *match)
{
  search s = { .pattern = pattern };
  omen_shim_parts (spot->global, 8 * spot->offset, 8 * spot->size, fits_part,
                   &s);
  match->part = s.part;
  return s.found;
}

/* ---- elements that only the run knows ---- */

typedef struct collection {
  const char *pattern;
  omen_weave_match *match;
  bool too_many;
} collection;

static bool
collect_range (void *data, const char *name, const omen_weave_part *part)
{
  collection *c = data;
  omen_weave_match *m = c->match;
  omen_weave_range *range = &m->ranges[m->count];
  if (m->in_common || !omen_pattern_fits (c->pattern, name))
    return !m->in_common && omen_pattern_may_begin (c->pattern, name);
  c->too_many
      |= m->count == OMEN_WEAVE_RANGES || part->step_count > OMEN_WEAVE_STEPS;
  if (c->too_many)
    return false;
  OMEN_ASSERT (part->bit >= 0);
  range->start = (uint64_t)part->bit / 8;
  range->size = ((uint64_t)part->bit % 8 + part->bits + 7) / 8;
  range->step_count = part->step_count;
  if (!m->count) /* the access begins where the part does */
    m->part.owner = part->owner - part->bit;
  for (unsigned i = 0; i < part->step_count; i++)
    range->steps[i] = part->steps[i];
  m->count++;
  m->in_common = part->step_count;
  return false;
}

/* The index is variable, as in table[i].key: `table[3].key` may match. */
static bool
may_fit (const omen_weave_spot *spot, const char *pattern,
         omen_weave_match *match)
{
  collection c = { pattern, match, false };
  omen_shim_all_parts (spot->global, collect_range, &c);
  if (c.too_many)
    match->count = 0;
  return c.too_many || match->count;
}

bool
omen_weave_spot_fits (const omen_weave_spot *spot, const char *pattern,
                      omen_weave_match *match)
{
  *match = (omen_weave_match){ 0 };
  return spot->anywhere && strchr (pattern, '[')
             ? may_fit (spot, pattern, match)
             : fits_here (spot, pattern, match);
}

/* ---- in the program ---- */

LLVMValueRef
omen_weave_part_value (omen_weave *w, const omen_weave_match *match,
                       LLVMValueRef value)
{
  const omen_weave_part *part = &match->part;
  LLVMTypeRef type = value ? LLVMTypeOf (value) : NULL;
  unsigned width;
  LLVMValueRef left;
  if (!value || !part->bits || part->is_whole || part->bit < 0
      || LLVMGetTypeKind (type) != LLVMIntegerTypeKind)
    return value;
  width = LLVMGetIntTypeWidth (type);
  if ((uint64_t)part->bit + part->bits > width || part->bits == width)
    return value;
  left = LLVMConstInt (type, width - (uint64_t)part->bit - part->bits, false);
  value = LLVMBuildShl (w->builder, value, left, "");
  left = LLVMConstInt (type, width - part->bits, false);
  return part->is_signed || !part->is_field
             ? LLVMBuildAShr (w->builder, value, left, "")
             : LLVMBuildLShr (w->builder, value, left, "");
}

LLVMValueRef
omen_weave_part_target (omen_weave *w, const char *pattern,
                        const omen_weave_match *match, LLVMValueRef address)
{
  LLVMValueRef distance;
  if (omen_pattern_is_open (pattern) || !match->part.owner)
    return address;
  distance = omen_weave_long (w, (uint64_t)(match->part.owner / 8));
  return LLVMBuildGEP2 (w->builder, w->i8, address, &distance, 1, "");
}

/* Does an access of `before` + 1 bytes at `at` overlap [start, start +
   size)? */
static LLVMValueRef
is_in_range (omen_weave *w, LLVMValueRef at, uint64_t start, uint64_t size,
             uint64_t before)
{
  LLVMValueRef distance
      = LLVMBuildSub (w->builder, at, omen_weave_long (w, start - before), "");
  return LLVMBuildICmp (w->builder, LLVMIntULT, distance,
                        omen_weave_long (w, size + before), "");
}

static LLVMValueRef
range_test (omen_weave *w, const omen_weave_range *range, LLVMValueRef at,
            uint64_t before)
{
  LLVMValueRef test = NULL, in;
  for (unsigned i = 0; i < range->step_count; i++) {
    const omen_weave_step *step = &range->steps[i];
    OMEN_ASSERT (step->stride);
    in = is_in_range (w, at, step->start, step->size, 0);
    test = test ? LLVMBuildAnd (w->builder, test, in, "") : in;
    at = LLVMBuildURem (
        w->builder,
        LLVMBuildSub (w->builder, at, omen_weave_long (w, step->start), ""),
        omen_weave_long (w, step->stride), "");
  }
  in = is_in_range (w, at, range->start, range->size, before);
  return test ? LLVMBuildAnd (w->builder, test, in, "") : in;
}

LLVMValueRef
omen_weave_part_test (omen_weave *w, const omen_weave_spot *spot,
                      const omen_weave_match *match, LLVMValueRef address)
{
  LLVMValueRef any = NULL, at;
  if (!match->count)
    return NULL;
  at = LLVMBuildSub (
      w->builder, LLVMBuildPtrToInt (w->builder, address, w->i64, ""),
      LLVMBuildPtrToInt (w->builder, spot->global, w->i64, ""), "");
  for (unsigned i = 0; i < match->count; i++) {
    LLVMValueRef in = range_test (w, &match->ranges[i], at, spot->size - 1);
    any = any ? LLVMBuildOr (w->builder, any, in, "") : in;
  }
  return any;
}
