/* Turns the properties of modules into monitors, and reports their counts at
   the end. */
#include "runtime/monitor/monitor.h"
#include "monitor/own.h"
#include "runtime/core/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>

bool omen_monitor_on;
omen_monitored *omen_monitors;
omen_tally *omen_monitor_tally;
uint32_t __omen_moments;

static omen_spec_module *modules; /* all modules so far, the last one first */

/* ---- from the module's tables to what slicers read ---- */

static void *
get_zeroed (size_t bytes)
{
  void *at = omen_memory_get (&omen_monitor_memory, bytes);
  if (at)
    omen_bytes_zero (at, bytes);
  return at;
}

static const omen_sources *
convert_sources (const omen_module_sources *from, uint32_t events)
{
  omen_sources *to = get_zeroed ((events + 1) * sizeof *to);
  for (uint32_t e = 0; to && e < events; e++)
    to[e] = (omen_sources){ from[e].count, from[e].sets };
  return to;
}

/* A new field of a formula must be added to modules, too. */
_Static_assert (sizeof (omen_formula) == 88 && sizeof (omen_property) == 64,
                "omen-module.h and driver/module/module.c have to know it");

/* The user's own monitor (monitor: "file.c"), with the property's numbers for
   its names. */
static const uint32_t *
convert_own (const omen_module_property *p, const omen_module_formula *from)
{
  omen_own *own = get_zeroed (sizeof *own);
  uint32_t *words = get_zeroed (OMEN_OWN_WORDS * sizeof *words);
  const char **names = get_zeroed ((p->events + 1) * sizeof *names);
  uint8_t *binds = get_zeroed (p->events + 1);
  if (!own || !words || !names || !binds || !omen_own_complete (from->own))
    return NULL;
  for (uint32_t e = 0; e < p->events; e++) {
    names[e] = p->event[e].name;
    binds[e] = (uint8_t)p->event[e].binds;
  }
  *own = (omen_own){ from->own, p->events, from->categories,
                     names,     binds,     from->category };
  omen_own_bind (words, own);
  return words;
}

static bool
convert_formula (const omen_module_property *p, const omen_module_formula *from,
                 omen_formula *to)
{
  const omen_machine_engine *engine = omen_engine_find (from->engine);
  const omen_sources *sources = convert_sources (from->sources, p->events);
  const omen_sources *idle = convert_sources (from->idle, p->events);
  const uint32_t *words = from->own ? convert_own (p, from) : from->words;
  if (!words || !engine || !sources || !idle
      || !engine->valid (words, from->count, p->events, p->predicates))
    return false;
  *to = (omen_formula){ .logic = from->logic,
                        .machine = { engine, words, from->count },
                        .categories = from->categories,
                        .category = from->category,
                        .resets = from->resets,
                        .listens = from->listens,
                        .creation = from->creation,
                        .sources = sources,
                        .idle = idle };
  return true;
}

static bool
convert (const omen_module_property *from, omen_property *to)
{
  omen_property_event *events
      = get_zeroed ((from->events + 1) * sizeof *events);
  omen_formula *formulas = get_zeroed ((from->formulas + 1) * sizeof *formulas);
  if (!events || !formulas)
    return false;
  for (uint32_t e = 0; e < from->events; e++) {
    events[e].name = from->event[e].name;
    events[e].binds = from->event[e].binds;
  }
  for (uint32_t f = 0; f < from->formulas; f++)
    if (!convert_formula (from, &from->formula[f], &formulas[f]))
      return false;
  to->name = from->name;
  to->modifiers = from->modifiers;
  to->parameters = from->parameters;
  to->events = from->events;
  to->predicates = from->predicates;
  to->formulas = from->formulas;
  to->parameter = from->parameter;
  to->event = events;
  to->formula = formulas;
  return true;
}

/* ---- modules ---- */

static omen_monitored *
new_monitored (const omen_spec_module *module, const omen_module_property *from)
{
  omen_monitored *m
      = get_zeroed (sizeof *m + (from->formulas + 1) * sizeof *m->parts);
  if (!m || !convert (from, &m->property))
    return NULL;
  m->module = module;
  m->from = from;
  for (uint32_t f = 0; f < from->formulas; f++)
    if (!(m->parts[f].slicer
          = omen_slicer_new (&m->property, f, &omen_monitor_memory)))
      return NULL;
  if (from->formulas == 1 && !(from->modifiers & OMEN_PER_THREAD))
    m->quick = omen_slicer_quick_events (m->parts[0].slicer);
  return m;
}

static uint32_t
cuts_of (const omen_module_property *p)
{
  uint32_t count = 0;
  for (uint32_t e = 0; e < p->events; e++)
    count += p->event[e].cuts;
  return count;
}

/* Appended, so that they are in the order of the file. Readers do not lock: a
   property is never removed. */
static void
append_monitored (omen_monitored *m)
{
  omen_monitored **end = &omen_monitors;
  for (; *end; end = &(*end)->next) {
    m->first_row = (*end)->first_row + (*end)->from->formulas;
    m->first_cut = (*end)->first_cut + cuts_of ((*end)->from);
  }
  __atomic_store_n (end, m, __ATOMIC_RELEASE);
}

omen_monitored *
omen_monitor_find (uint64_t spec, uint32_t property)
{
  omen_monitored *m = __atomic_load_n (&omen_monitors, __ATOMIC_ACQUIRE);
  while (
      m
      && (m->module->spec != spec || m->from != &m->module->property[property]))
    m = m->next;
  return m;
}

void
omen_monitor_seen (uint64_t spec, uint32_t property, uint32_t event,
                   uint32_t cut, uint8_t how)
{
  omen_monitored *m = omen_monitor_find (spec, property);
  omen_tally *tally = omen_monitor_tally;
  if (!m || !tally || event >= m->from->events
      || cut >= m->from->event[event].cuts)
    return;
  uint32_t at = m->first_cut + cut;
  for (uint32_t e = 0; e < event; e++)
    at += m->from->event[e].cuts;
  if (tally->spec == spec && at < tally->cuts)
    __atomic_fetch_or (&omen_tally_seen (tally)[at], how, __ATOMIC_RELAXED);
}

/* Another copy of a module that is here already only adds its join points. */
static void
add_places (const omen_spec_module *module)
{
  for (const omen_join_point *at = module->moments;
       at && at < (const omen_join_point *)module->moments_end; at++)
    if (at->spec == module->spec)
      omen_monitor_seen (at->spec, at->property, at->event, at->cut,
                         OMEN_SEEN_WOVEN);
    else if (omen_monitor_tally)
      omen_monitor_tally->stale = 1;
  for (const omen_watched_variable *at = module->watched;
       at && at < (const omen_watched_variable *)module->watched_end; at++) {
    omen_monitored *m = omen_monitor_find (at->spec, at->property);
    if (m && at->number < OMEN_WATCHED_MAX)
      m->watched[at->number] = at;
  }
}

static bool
is_wanted_module (const omen_spec_module *module)
{
  return omen_rt_mode == OMEN_MODE_RECORD
         || (omen_monitor_tally && omen_monitor_tally->spec == module->spec);
}

static void
take_module (omen_spec_module *module)
{
  bool known = module->properties && omen_monitor_find (module->spec, 0);
  if (!is_wanted_module (module))
    return;
  for (uint32_t p = 0; p < module->properties && !known; p++) {
    omen_monitored *m = new_monitored (module, &module->property[p]);
    if (!m) {
      omen_say ("cannot monitor: ", "no memory, or a module that was made by "
                                    "another version of omen");
      return;
    }
    append_monitored (m);
  }
  add_places (module);
  if (omen_monitor_on)
    omen_hooks_count (module);
  __atomic_store_n (&__omen_moments, 1, __ATOMIC_RELEASE);
}

#pragma GCC visibility push(default)

/* Called by constructors of modules, and of libraries that dlopen loads. */
void
__omen_module_add (omen_spec_module *module)
{
  if (module->version != OMEN_MODULE_VERSION) {
    omen_say (module->path, ": woven by another version of omen");
    return;
  }
  module->next = modules;
  modules = module;
  if (omen_monitor_on || omen_rt_mode == OMEN_MODE_RECORD)
    take_module (module);
}

#pragma GCC visibility pop

/* ---- fork ---- */

static void
before_fork (void)
{
  omen_monitor_enter ();
  for (omen_monitored *m = omen_monitors; m; m = m->next)
    omen_latch_take (&m->latch);
}

static void
after_fork (void)
{
  for (omen_monitored *m = omen_monitors; m; m = m->next)
    omen_latch_give (&m->latch);
  omen_monitor_leave ();
}

/* The child goes on with its parent's instances; it counts only what it
   adds. */
static void
in_child (void)
{
  after_fork ();
  for (omen_monitored *m = omen_monitors; m; m = m->next)
    for (uint32_t f = 0; f < m->from->formulas; f++) {
      m->parts[f].counted = omen_slicer_count (m->parts[f].slicer);
      m->parts[f].counted.live = 0;
    }
  __atomic_fetch_add (&omen_monitor_tally->started, 1, __ATOMIC_RELAXED);
}

/* ---- start and end ---- */

static const char *
map_tally (const char *path)
{
  omen_tally head;
  long fd = omen_call (SYS_open, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0, 0);
  if (fd < 0)
    return "there is no such file";
  long got = omen_call (SYS_read, fd, (long)&head, sizeof head, 0, 0, 0);
  long at = -1;
  if (got == (long)sizeof head && head.magic == OMEN_TALLY_MAGIC)
    at = omen_call (SYS_mmap, 0,
                    (long)omen_tally_bytes (head.formulas, head.cuts),
                    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
  if (at < 0 && at > -4096)
    return "is not what omen monitor left for it";
  omen_monitor_tally = (omen_tally *)at;
  return NULL;
}

const char *
omen_monitor_start (const char *path)
{
  const char *wrong = map_tally (path);
  if (wrong)
    return wrong;
  omen_monitor_on = true;
  __atomic_fetch_add (&omen_monitor_tally->started, 1, __ATOMIC_RELAXED);
  for (omen_spec_module *m = modules; m; m = m->next)
    take_module (m);
  pthread_atfork (before_fork, after_fork, in_child);
  return NULL;
}

static void
add_counts (omen_tally_row *row, omen_slicer_counts *before,
            const omen_slicer_counts *now)
{
#define ADD(field)                                                             \
  __atomic_fetch_add (&row->field, now->field - before->field, __ATOMIC_RELAXED)
  ADD (events);
  ADD (created);
  ADD (live);
  ADD (collected);
#undef ADD
  *before = *now;
}

void
omen_monitor_add_counts (omen_monitored *m)
{
  m->uncounted = 0;
  for (uint32_t f = 0; f < m->from->formulas; f++) {
    uint32_t row = m->first_row + f;
    omen_slicer_counts now = omen_slicer_count (m->parts[f].slicer);
    if (row < omen_monitor_tally->formulas)
      add_counts (&omen_monitor_tally->rows[row], &m->parts[f].counted, &now);
  }
}

void
omen_monitor_end (void)
{
  static bool ended;
  if (!omen_monitor_on || omen_monitor_busy ())
    return;
  omen_monitor_enter ();
  for (omen_monitored *m = omen_monitors; m; m = m->next) {
    omen_monitor_lock (m);
    omen_monitor_add_counts (m);
    omen_monitor_unlock (m);
  }
  if (!__atomic_exchange_n (&ended, true, __ATOMIC_RELAXED))
    __atomic_fetch_add (&omen_monitor_tally->ended, 1, __ATOMIC_RELAXED);
  omen_monitor_leave ();
}
