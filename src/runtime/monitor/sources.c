/* Events from the program itself: join points that omen cc --spec wove in, and
   OMEN_EVENT. When recording, both become EMITs. */
#include "runtime/core/bytes.h"
#include "runtime/monitor/monitor.h"

enum { EMIT_MAX = 8, SLOTS_MAX = 32 };

/* ---- join points ---- */

static omen_monitored no_property; /* stands for "no such property" */

/* The slot of the join point's only parameter, plus one, if its events may take
   the fast path; else 0. */
static uint64_t
short_way (const omen_monitored *m, const omen_join_point *point)
{
  const omen_module_event *event = &m->from->event[point->event];
  uint64_t slot = 1;
  if (!(m->quick >> point->event & 1) || point->thread
      || point->cut >= event->cuts || omen_cut_asks (&event->cut[point->cut]))
    return 0;
  for (uint32_t i = 0; i < event->slots; i++)
    if (event->parameter[i] >= 0)
      slot = i + 1;
  return slot;
}

static omen_monitored *
property_of (omen_join_point *point)
{
  omen_monitored *m = __atomic_load_n (&point->known, __ATOMIC_ACQUIRE);
  if (OMEN_LIKELY (m != NULL))
    return m;
  m = omen_monitor_find (point->spec, point->property);
  if (m
      && (point->event >= m->from->events /* also of one that is none */
          || point->count != m->from->event[point->event].slots))
    m = NULL;
  m = m ? m : &no_property;
  if (m != &no_property)
    point->short_way = short_way (m, point);
  __atomic_store_n (&point->known, m, __ATOMIC_RELEASE);
  return m;
}

/* The event's cut; OMEN_NONE for a write to a watched variable. */
static uint32_t
cut_of (const omen_monitored *m, const omen_join_point *point)
{
  return point->cut < m->from->event[point->event].cuts ? point->cut
                                                        : OMEN_NONE;
}

static __attribute__ ((noinline)) void
monitor_join_point (omen_monitored *m, const omen_join_point *point,
                    uint64_t *slots, uint64_t pc)
{
  omen_event_place place = { omen_join_point_site (point), pc };
  if (point->thread)
    slots[point->thread - 1] = omen_monitor_thread ();
  omen_monitor_event (m, point->event, cut_of (m, point), slots, &place);
}

static void
note_source (const omen_monitored *m, const omen_join_point *point,
             const uint64_t *slots, uint64_t pc)
{
  const omen_module_event *event = &m->from->event[point->event];
  const char *text = omen_join_point_text (point);
  uint32_t cut = cut_of (m, point), count = 0;
  uint64_t values[EMIT_MAX] = { 0 };
  for (const char *p = text; *p && count < EMIT_MAX; p++)
    count += *p == ',';
  if (text[0] == '(' || !omen_enabled ())
    return;
  if (cut != OMEN_NONE && omen_cut_asks (&event->cut[cut])
      && !omen_monitor_fits (&event->cut[cut], slots))
    return;
  omen_bytes_copy (values, slots, count * sizeof *values);
  omen_log_with (OMEN_ITEM_EMIT, (void *)(uintptr_t)omen_string_id (text), 0,
                 count | point->pointers << 8, pc, values,
                 (count + 1) / 2 * 2 * sizeof *values);
}

static __attribute__ ((noinline)) void
record_join_point (const omen_monitored *m, const omen_join_point *point,
                   uint64_t *slots, uint64_t pc)
{
  if (!omen_enabled ())
    return;
  if (point->thread)
    slots[point->thread - 1] = omen_self_id (omen_rt_self);
  note_source (m, point, slots, pc);
}

#pragma GCC visibility push(default)

void
__omen_moment (void *at, const void *values)
{
  omen_join_point *point = at;
  omen_monitored *m = property_of (point);
  uint64_t *slots = (uint64_t *)values; /* the caller's, for us alone */
  if (OMEN_UNLIKELY (m == &no_property)) {
    if (point->event == OMEN_NONE)
      omen_monitor_starts (point, slots[0]);
    return;
  }
  if (OMEN_UNLIKELY (!omen_monitor_on))
    record_join_point (m, point, slots, OMEN_PC);
  else if (!point->short_way
           || !omen_monitor_quick (
               m, point->event, point->count ? slots[point->short_way - 1] : 0))
    monitor_join_point (m, point, slots, OMEN_PC);
}

#pragma GCC visibility pop

/* ---- OMEN_EVENT ----

   Its text, a literal of the program, is looked up once. */
typedef struct target {
  struct target *next;
  omen_monitored *m;
  uint32_t event;
  signed char value[SLOTS_MAX]; /* by slot: number of the value, or -1 */
} target;

typedef struct named {
  struct named *next;
  const char *text;
  target *targets;
} named;

enum { BUCKETS = 256 };
static named *buckets[BUCKETS];

/* Part `i` of "create, list, iter"; its length. */
static size_t
part_of (const char *text, unsigned i, const char **part)
{
  for (; i; i--) {
    while (*text && *text != ',')
      text++;
    text += *text == ',';
  }
  while (*text == ' ')
    text++;
  size_t length = 0;
  while (text[length] && text[length] != ',' && text[length] != ' ')
    length++;
  *part = text;
  return length;
}

static bool
is_text (const char *text, size_t length, const char *name)
{
  return omen_bytes_length (name) == length
         && omen_bytes_equal (text, name, length);
}

/* "e" or "Property.e". */
static bool
is_event (const omen_monitored *m, const char *name, const char *text,
          size_t length)
{
  size_t prefix = omen_bytes_length (m->from->name);
  if (length > prefix && text[prefix] == '.'
      && omen_bytes_equal (text, m->from->name, prefix)) {
    text += prefix + 1;
    length -= prefix + 1;
  }
  return is_text (text, length, name);
}

static bool
bind_target (target *t, const omen_module_event *event, const char *text,
             unsigned count)
{
  for (uint32_t s = 0; s < event->slots && s < SLOTS_MAX; s++) {
    const char *part;
    t->value[s] = -1;
    for (unsigned i = 0; i < count; i++) {
      size_t length = part_of (text, i + 1, &part);
      if (is_text (part, length, event->names[s]))
        t->value[s] = (signed char)i;
    }
    if (t->value[s] < 0 && event->parameter[s] >= 0)
      return false;
  }
  return true;
}

static void
add_target (named *n, omen_monitored *m, uint32_t e, unsigned count)
{
  target *t = omen_memory_get (&omen_monitor_memory, sizeof *t), **end;
  if (!t)
    return;
  *t = (target){ .m = m, .event = e };
  if (!bind_target (t, &m->from->event[e], n->text, count)) {
    omen_memory_put (&omen_monitor_memory, t, sizeof *t);
    omen_message (
        "warning: OMEN_EVENT (%s) has other parameters than the event "
        "of property %s",
        n->text, m->from->name);
    return;
  }
  for (end = &n->targets; *end; end = &(*end)->next)
    ;
  *end = t;
}

static named *
look_up (const char *text, unsigned count)
{
  const char *name;
  size_t length = part_of (text, 0, &name);
  named *n = omen_memory_get (&omen_monitor_memory, sizeof *n);
  if (!n)
    return NULL;
  *n = (named){ .text = text };
  for (omen_monitored *m = omen_monitors; m; m = m->next)
    for (uint32_t e = 0; e < m->from->events; e++)
      if (is_event (m, m->from->event[e].name, name, length))
        add_target (n, m, e, count);
  return n;
}

static named *
find_named (const char *text, unsigned count)
{
  named **bucket = &buckets[((uintptr_t)text >> 2) % BUCKETS];
  named *head = __atomic_load_n (bucket, __ATOMIC_ACQUIRE), *n = head;
  while (n && n->text != text)
    n = n->next;
  if (n)
    return n;
  omen_monitor_enter ();
  n = look_up (text, count);
  omen_monitor_leave ();
  if (!n)
    return NULL;
  n->next = head;
  while (!__atomic_compare_exchange_n (bucket, &n->next, n, false,
                                       __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return n;
}

void
omen_monitor_named (const char *text, unsigned count, const uint64_t *values,
                    uint64_t pc)
{
  uint64_t slots[SLOTS_MAX];
  omen_event_place place = { NULL, pc };
  const named *n = omen_monitor_busy () ? NULL : find_named (text, count);
  for (const target *t = n ? n->targets : NULL; t; t = t->next) {
    const omen_module_event *event = &t->m->from->event[t->event];
    for (uint32_t s = 0; s < event->slots && s < SLOTS_MAX; s++)
      slots[s] = t->value[s] >= 0 ? values[t->value[s]] : 0;
    omen_monitor_event (t->m, t->event, OMEN_NONE, slots, &place);
  }
}
