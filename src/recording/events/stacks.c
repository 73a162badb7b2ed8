#include "recording/events/stacks.h"
#include "recording/events/events.h"

#include <string.h>

/* Nesting depth of inlining at one place. */
#define FRAMES_MAX 64u

void
omen_stacks_init (omen_stacks *stacks)
{
  *stacks = (omen_stacks){ 0 };
  omen_map_init (&stacks->places);
  omen_map_init (&stacks->of);
}

void
omen_stacks_fini (omen_stacks *stacks)
{
  OMEN_VEC_FINI (stacks->list);
  OMEN_VEC_FINI (stacks->code_functions);
  omen_map_fini (&stacks->places);
  omen_map_fini (&stacks->of);
}

/* The top frame of a stack; each stack exists once. */
static uint32_t
stack_of (omen_emitter *emitter, uint32_t function, uint32_t location,
          uint32_t caller)
{
  omen_stacks *stacks = emitter->stacks;
  omen_frame frame = { function, location, caller };
  uint32_t *place, *stack;
  OMEN_ASSERT (function != OMEN_NONE);
  place = omen_map_at (&stacks->places, OMEN_PAIR (function, location));
  if (*place == OMEN_NONE)
    *place = stacks->places.count - 1;
  stack = omen_map_at (&stacks->of, OMEN_PAIR (*place, caller));
  if (*stack == OMEN_NONE) {
    *stack = (uint32_t)emitter->trace->stacks.count;
    OMEN_VEC_PUSH (emitter->trace->stacks, frame);
  }
  return *stack;
}

/* ---- places, and what they were inlined into ---- */

/* A site of woven code, or an entry of the file's places of code. */
typedef struct spot {
  bool is_site;
  uint32_t id; /* OMEN_NONE: nowhere */
} spot;

static const omen_code_place *
code_of (const omen_emitter *emitter, spot s)
{
  return &emitter->file->code.data[s.id];
}

/* OMEN_NONE: not known. */
static uint32_t
function_of (omen_emitter *emitter, spot s)
{
  omen_ids *known = &emitter->stacks->code_functions;
  const omen_name *name;
  if (s.is_site)
    return omen_emit_function (emitter, s.id);
  if (code_of (emitter, s)->function == OMEN_NONE)
    return OMEN_NONE;
  while (known->count <= s.id)
    OMEN_VEC_PUSH (*known, OMEN_NONE);
  name = &emitter->trace->strings.names[code_of (emitter, s)->function];
  if (known->data[s.id] == OMEN_NONE)
    known->data[s.id] = omen_trace_name (emitter->trace, OMEN_OPERAND_FUNCTION,
                                         name->text, name->length);
  return known->data[s.id];
}

static uint32_t
location_of (omen_emitter *emitter, spot s)
{
  return s.is_site ? omen_emit_site_line (emitter, s.id)
                   : omen_emit_code_line (emitter, s.id);
}

/* What it was inlined into. */
static spot
outer (const omen_emitter *emitter, spot s)
{
  if (!s.is_site)
    s.id = code_of (emitter, s)->caller;
  else {
    uint32_t caller = omen_notes_site (emitter->file, s.id)->caller;
    s.id = caller ? caller : OMEN_NONE;
  }
  return s;
}

/* Up to parameters, templates and lambdas, where two demanglers differ. */
static size_t
plain_length (const char *name)
{
  static const char nameless[] = "(anonymous namespace)";
  size_t at = 0;
  for (;;) {
    at += strcspn (name + at, "(<{'");
    if (strncmp (name + at, nameless, sizeof nameless - 1))
      return at;
    at += sizeof nameless - 1;
  }
}

static const char *
last_part (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

/* Is the place in the file of the function, "name
   file
   line"? */
static bool
is_in_file (const omen_emitter *emitter, const omen_code_place *place,
            const omen_depth *entered)
{
  const omen_names *strings = &emitter->trace->strings;
  uint32_t id = omen_notes_site (emitter->file, entered->site)->function;
  const char *text = id == OMEN_NONE ? "" : omen_names_text (strings, id);
  const char *name, *file = strchr (text, '\n');
  size_t length;
  if (!file || place->file == OMEN_NONE)
    return false;
  file = last_part (file + 1);
  name = last_part (omen_names_text (strings, place->file));
  length = strcspn (file, "\n");
  return strlen (name) == length && !strncmp (name, file, length);
}

/* Is the place, in the function `here`, part of the function entered? Sites
   have the names that functions were entered by; names from debug information
   may differ, and other code may have the same name. */
static bool
is_function (const omen_emitter *emitter, spot s, uint32_t here,
             const omen_depth *entered)
{
  const omen_names *names = &emitter->trace->names[OMEN_OPERAND_FUNCTION];
  const char *a, *b;
  size_t length;
  if (s.is_site || here == OMEN_NONE)
    return here == entered->function;
  if (!is_in_file (emitter, code_of (emitter, s), entered))
    return false;
  a = omen_names_text (names, here);
  b = omen_names_text (names, entered->function);
  length = plain_length (a);
  return here == entered->function
         || (length && length == plain_length (b) && !strncmp (a, b, length));
}

/* ---- calls ---- */

static const omen_depth *
innermost (omen_emitter *emitter)
{
  omen_frames *frames = &omen_emitter_me (emitter)->frames;
  return frames->count ? &OMEN_VEC_LAST (*frames) : NULL;
}

/* The innermost function entered that contains the place, or NULL. */
static const omen_depth *
frame_of (omen_emitter *emitter, spot s, uint32_t function)
{
  const omen_frames *frames = &omen_emitter_me (emitter)->frames;
  for (size_t i = frames->count; i-- > 0;)
    if (is_function (emitter, s, function, &frames->data[i]))
      return &frames->data[i];
  return NULL;
}

/* The place in the function entered where `s` is, or was inlined; OMEN_NONE: it
   is elsewhere. */
static spot
place_in (omen_emitter *emitter, spot s, const omen_depth *entered)
{
  while (s.id != OMEN_NONE
         && !is_function (emitter, s, function_of (emitter, s), entered))
    s = outer (emitter, s);
  return s;
}

uint32_t
omen_emit_call (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  const omen_depth *caller = innermost (emitter);
  spot s = { true, item->site };
  if (!caller)
    return OMEN_NONE;
  s = outer (emitter, s);
  if (s.id == OMEN_NONE)
    s = (spot){ false, omen_notes_code (emitter->file, item->b) };
  s = place_in (emitter, s, caller);
  return stack_of (emitter, caller->function,
                   s.id == OMEN_NONE ? OMEN_NONE : location_of (emitter, s),
                   caller->from);
}

/* ---- other events ---- */

/* The place that the event's location shows. *skips: it is that of a caller,
   since the library's code is skipped. */
static spot
place_shown (omen_emitter *emitter, bool *skips)
{
  const omen_item *item = &emitter->item;
  uint32_t site = omen_emit_item_site (item), shown;
  uint64_t pc = site || item->notes < 2 ? 0 : omen_item_pc (item);
  shown = site ? omen_emit_site_shown (emitter, site)
               : omen_emit_code_shown (emitter, pc);
  *skips = shown != (site ? site : omen_notes_code (emitter->file, pc));
  return (spot){ site != 0, shown };
}

/* The places from `s` on that were inlined into each other, up to one in `top`
   (excluded) or the last; returns how many. *outside: the place after them. */
static uint32_t
list_inlined (omen_emitter *emitter, spot s, const omen_depth *top,
              spot chain[FRAMES_MAX], spot *outside)
{
  const omen_actor *me = omen_emitter_me (emitter);
  uint32_t count = 0;
  while (s.id != OMEN_NONE && count < FRAMES_MAX
         && !(top && is_function (emitter, s, function_of (emitter, s), top))) {
    chain[count++] = s;
    s = outer (emitter, s);
  }
  if (s.id == OMEN_NONE && top && count && chain[count - 1].is_site
      && me->called == function_of (emitter, chain[count - 1])) {
    s = (spot){ false, omen_notes_code (emitter->file, me->called_from) };
    s = place_in (emitter, s, top);
  }
  *outside = s;
  return count;
}

/* The frames from the place up to the innermost function entered. */
static uint32_t
stack_at (omen_emitter *emitter, spot s, const omen_depth *top)
{
  spot chain[FRAMES_MAX], outside;
  uint32_t stack = OMEN_NONE;
  uint32_t count = list_inlined (emitter, s, top, chain, &outside);
  if (top)
    stack = stack_of (emitter, top->function,
                      outside.id == OMEN_NONE ? OMEN_NONE
                                              : location_of (emitter, outside),
                      top->from);
  while (count-- > 0) {
    uint32_t function = function_of (emitter, chain[count]);
    if (function != OMEN_NONE)
      stack = stack_of (emitter, function, location_of (emitter, chain[count]),
                        stack);
  }
  return stack;
}

/* The innermost function entered in which the place, of a known function, is to
   be found. */
static const omen_depth *
function_around (omen_emitter *emitter, spot s, bool skips)
{
  const omen_depth *outer_frame
      = skips ? frame_of (emitter, s, function_of (emitter, s)) : NULL;
  return outer_frame ? outer_frame : innermost (emitter);
}

uint32_t
omen_emit_stack_here (omen_emitter *emitter)
{
  bool skips;
  spot s = place_shown (emitter, &skips);
  return s.id == OMEN_NONE || function_of (emitter, s) == OMEN_NONE
             ? OMEN_NONE
             : stack_at (emitter, s, function_around (emitter, s, skips));
}

void
omen_emit_frames (omen_emitter *emitter, size_t first)
{
  const omen_depth *top = innermost (emitter);
  size_t end = emitter->trace->events.count;
  bool skips;
  spot s = place_shown (emitter, &skips);
  uint32_t stack,
      function = s.id == OMEN_NONE ? OMEN_NONE : function_of (emitter, s);
  if (function == OMEN_NONE || (top && is_function (emitter, s, function, top)))
    return;
  stack = stack_at (emitter, s, function_around (emitter, s, skips));
  for (size_t e = first; stack != OMEN_NONE && e < end; e++)
    OMEN_VEC_PUSH (emitter->stacks->list,
                   ((omen_stacked){ (omen_eid)e, stack }));
}

/* ---- the trace ---- */

/* Both lists ascend by event. */
void
omen_stacks_settle (const omen_stacks *stacks, omen_trace *trace,
                    const uint32_t *moved)
{
  size_t n = trace->extras.count, old = 0;
  omen_extra *before = trace->extras.data;
  trace->extras.data = NULL;
  trace->extras.count = trace->extras.room = 0;
  for (size_t i = 0; i < stacks->list.count; i++) {
    omen_stacked s = stacks->list.data[i];
    omen_extra extra = { .branch = OMEN_NONE, .stack = s.stack };
    extra.event = moved ? moved[s.event] : s.event;
    if (extra.event == OMEN_NONE)
      continue;
    while (old < n && before[old].event < extra.event)
      OMEN_VEC_PUSH (trace->extras, before[old++]);
    if (old < n && before[old].event == extra.event) {
      extra = before[old++];
      extra.stack = s.stack;
    }
    trace->events.data[extra.event].mode |= OMEN_MODE_EXTRA;
    OMEN_VEC_PUSH (trace->extras, extra);
  }
  while (old < n)
    OMEN_VEC_PUSH (trace->extras, before[old++]);
  omen_free (before);
  if (trace->stacks.count)
    trace->flags |= OMEN_TRACE_STACKS;
}
