#include "driver/module/unwoven.h"
#include "driver/message.h"
#include "driver/module/plan_text.h"
#include "driver/program.h"
#include "wire/abi.h"

#include <dlfcn.h>
#include <string.h>

typedef struct seen {
  const omen_spec *spec;
  omen_ids join_points; /* property, event, cut; property, … */
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

/* Of a library that omen itself uses, which is libc above all. */
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
      /* one of the alternatives is enough */
      for (uint32_t c = 0; !any && c < event->cuts.count; c++) {
        const omen_cut *cut = &event->cuts.data[c];
        uint32_t line, column;
        omen_spec_place (spec, cut->offset, &line, &column);
        omen_warn ("%s:%u:%u: %s(%s) of event '%s' fits nothing in %s",
                   spec->path, line, column, omen_cut_word (cut->kind),
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
