#include "driver/module/unwoven.h"
#include "driver/message.h"
#include "driver/module/plan_text.h"
#include "driver/program.h"
#include "wire/abi.h"

#include <dlfcn.h>
#include <string.h>

typedef struct seen {
  const omen_spec *spec;
  omen_ids join_points; /* property, event, cut; … */
  omen_ids watched;     /* property, variable; … */
} seen;

static void
read_join_points (void *self, const void *bytes, size_t size)
{
  seen *s = self;
  for (size_t at = 0; at + sizeof (omen_join_point) <= size;
       at += sizeof (omen_join_point)) {
    omen_join_point point;
    memcpy (&point, (const char *)bytes + at, sizeof point);
    if (point.spec != omen_spec_hash (s->spec))
      continue;
    OMEN_VEC_PUSH (s->join_points, point.property);
    OMEN_VEC_PUSH (s->join_points, point.event);
    OMEN_VEC_PUSH (s->join_points, point.cut);
  }
}

static bool
is_woven (void *self, uint32_t property, uint32_t event, uint32_t cut)
{
  const seen *s = self;
  const omen_spec_event *e
      = &s->spec->properties.data[property].events.data[event];
  if (omen_cut_takes (e->cuts.data[cut].kind) == OMEN_CUT_OBJECT)
    return true;
  for (size_t i = 0; i + 2 < s->join_points.count; i += 3)
    if (s->join_points.data[i] == property
        && s->join_points.data[i + 1] == event
        && s->join_points.data[i + 2] == cut)
      return true;
  return false;
}

/* Is it a function of a library that omen itself uses, mostly libc? */
static bool
is_library_function (const omen_cut *cut)
{
  return omen_cut_takes (cut->kind) == OMEN_CUT_OBJECT
         || (omen_cut_takes (cut->kind) == OMEN_CUT_FUNCTION
             && dlsym (RTLD_DEFAULT, cut->pattern));
}

void
omen_unseen_warn (const omen_spec *spec, const char *program,
                  omen_cut_seen is_seen, void *self)
{
  for (uint32_t p = 0; p < spec->properties.count; p++)
    for (uint32_t e = 0; e < spec->properties.data[p].events.count; e++) {
      const omen_spec_event *event = &spec->properties.data[p].events.data[e];
      bool any = false;
      for (uint32_t c = 0; c < event->cuts.count; c++)
        any |= is_seen (self, p, e, c);
      /* one matching alternative suffices */
      for (uint32_t c = 0; !any && c < event->cuts.count; c++) {
        const omen_cut *cut = &event->cuts.data[c];
        omen_place_in_file at;
        omen_spec_place (spec, cut->offset, &at);
        omen_warn ("%s:%u:%u: %s(%s) of event '%s' fits nothing in %s", at.path,
                   at.line, at.column, omen_cut_word (cut->kind),
                   cut->pattern ? cut->pattern : "", event->name, program);
        any |= is_library_function (cut);
      }
    }
}

void
omen_unwoven_warn (const char *program, const omen_spec *spec)
{
  seen s = { .spec = spec };
  if (omen_program_section (program, "omen_moments", read_join_points, &s))
    omen_unseen_warn (spec, program, is_woven, &s);
  OMEN_VEC_FINI (s.join_points);
}

/* ---- variables of state predicates ---- */

static void
read_watched (void *self, const void *bytes, size_t size)
{
  seen *s = self;
  for (size_t at = 0; at + sizeof (omen_watched_variable) <= size;
       at += sizeof (omen_watched_variable)) {
    omen_watched_variable watched;
    memcpy (&watched, (const char *)bytes + at, sizeof watched);
    if (watched.spec != omen_spec_hash (s->spec))
      continue;
    OMEN_VEC_PUSH (s->watched, watched.property);
    OMEN_VEC_PUSH (s->watched, watched.number);
  }
}

static bool
is_watched (const seen *s, uint32_t property, uint32_t number)
{
  for (size_t i = 0; i + 1 < s->watched.count; i += 2)
    if (s->watched.data[i] == property && s->watched.data[i + 1] == number)
      return true;
  return false;
}

/* Does the program have an event of the property? If not (a test program of
   configure, for example), the file is not about it. */
static bool
has_events (const seen *s, uint32_t property)
{
  for (size_t i = 0; i + 2 < s->join_points.count; i += 3)
    if (s->join_points.data[i] == property)
      return true;
  return false;
}

/* The position of the first predicate with this variable. */
static size_t
offset_of_predicate (const omen_spec_property *p, const char *name)
{
  for (size_t i = 0; i < p->predicates.count; i++) {
    const omen_condition *c = p->predicates.data[i].condition;
    for (uint32_t n = 0; n < c->name_count; n++)
      if (!strcmp (c->names[n], name))
        return c->offset;
  }
  return p->offset;
}

bool
omen_unwatched_find (const char *program, const omen_spec *spec, omen_err *err)
{
  seen s = { .spec = spec };
  omen_program_section (program, "omen_moments", read_join_points, &s);
  omen_program_section (program, "omen_watched", read_watched, &s);
  for (uint32_t p = 0; p < spec->properties.count; p++) {
    const omen_spec_property *property = &spec->properties.data[p];
    const char *name;
    for (uint32_t i = 0; (name = omen_property_watched (property, i)); i++)
      if (!err->set && has_events (&s, p) && !is_watched (&s, p, i))
        omen_spec_fail (spec, offset_of_predicate (property, name), err,
                        "there is no variable '%s' in %s, or it was compiled "
                        "without -g",
                        name, program);
  }
  OMEN_VEC_FINI (s.join_points);
  OMEN_VEC_FINI (s.watched);
  return !err->set;
}
