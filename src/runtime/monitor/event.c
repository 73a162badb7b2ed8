/* An event is given to the slicers of its property under the property's latch;
   what they report is kept, and the handlers are called after the latch is
   released. A handler may do anything: wait for other threads, end the program,
   leave by longjmp. */
#include "runtime/monitor/monitor.h"
#include "runtime/core/bytes.h"

#include <errno.h>

/* What this thread is doing in here. */
static OMEN_TLS bool holding; /* latches, or is about to */
static OMEN_TLS uintptr_t
    calling; /* the frame of the handler or condition that is being called */
static OMEN_TLS uint32_t number; /* of the thread, plus one */

/* ---- threads ---- */

uint32_t
omen_monitor_thread (void)
{
  static uint32_t last;
  if (!number)
    number = __atomic_add_fetch (&last, 1, __ATOMIC_RELAXED);
  return number - 1;
}

bool
omen_monitor_busy (void)
{
  if (holding)
    return true;
  if (!calling)
    return false;
  if ((uintptr_t)__builtin_frame_address (0) < calling)
    return true;
  calling = 0; /* the handler was left by longjmp */
  return false;
}

void
omen_monitor_enter (void)
{
  holding = true;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

void
omen_monitor_leave (void)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  holding = false;
}

/* ---- reports, kept until the latch is free ---- */

typedef struct kept {
  uint32_t formula, categories, bound;
  uint64_t values[OMEN_PARAMETERS_MAX];
} kept;

enum { FIRST = 4, MORE = 50, TALLY_EVERY = 256 };

typedef struct bundle {
  struct bundle *next;
  uint32_t count;
  kept reports[MORE];
} bundle;

typedef struct reports {
  omen_monitored *m;
  uint32_t formula, count, lost;
  kept first[FIRST];
  bundle *more, *last;
} reports;

static kept *
room_for (reports *all)
{
  bundle *at = all->last;
  if (all->count < FIRST)
    return &all->first[all->count++];
  if (!at || at->count == MORE) {
    bundle *added = omen_memory_get (&omen_monitor_memory, sizeof *added);
    if (!added)
      return NULL;
    added->count = 0;
    added->next = NULL;
    if (at)
      at->next = added;
    else
      all->more = added;
    all->last = at = added;
  }
  return &at->reports[at->count++];
}

/* __RESET stands in the handler's text; it applies whether or not it is
   reached. */
static bool
keep_landing (void *self, const omen_landing_report *report)
{
  reports *all = self;
  kept *at = room_for (all);
  const omen_formula *f = &all->m->property.formula[all->formula];
  if (!at) {
    all->lost++;
    return report->categories & f->resets;
  }
  at->formula = all->formula;
  at->categories = report->categories;
  at->bound = report->bound;
  for (uint32_t i = 0; i < OMEN_PARAMETERS_MAX; i++)
    at->values[i] = report->bound >> i & 1 && i < all->m->property.parameters
                        ? report->values[i]
                        : 0;
  return report->categories & f->resets;
}

/* ---- handlers ---- */

static void
count_verdict (const omen_monitored *m, uint32_t formula, uint32_t category)
{
  omen_tally *tally = omen_monitor_tally;
  uint32_t row = m->first_row + formula;
  if (tally->spec == m->module->spec && row < tally->formulas)
    __atomic_fetch_add (&tally->rows[row].verdicts[category], 1,
                        __ATOMIC_RELAXED);
}

static void
print_verdict (const omen_monitored *m, const omen_landing *call)
{
  char text[OMEN_PLACE_ROOM], hex[] = "0123456789abcdef";
  size_t length = 0;
  for (uint32_t i = 0; i < m->property.parameters; i++) {
    const char *name = m->property.parameter[i];
    size_t size = omen_bytes_length (name);
    if (!(call->bound >> i & 1) || length + size + 24 > sizeof text)
      continue;
    text[length] = length ? ' ' : '(';
    length++;
    omen_bytes_copy (text + length, name, size);
    length += size;
    omen_bytes_copy (text + length, "=0x", 3);
    length += 3;
    unsigned shift = 60;
    while (shift && !(call->values[i] >> shift))
      shift -= 4;
    for (;; shift -= 4) {
      text[length++] = hex[call->values[i] >> shift & 15];
      if (!shift)
        break;
    }
  }
  if (length)
    text[length++] = ')';
  text[length] = 0;
  omen_message ("property %s: %s at %s %s", call->property, call->category,
                call->where, text);
}

static void
call_handlers (omen_monitored *m, const kept *at, const char *where)
{
  const omen_module_formula *f = &m->from->formula[at->formula];
  for (uint32_t rest = at->categories; rest; rest &= rest - 1) {
    uint32_t category = (uint32_t)__builtin_ctz (rest);
    omen_landing call = { .values = at->values,
                          .bound = at->bound,
                          .where = where,
                          .property = m->from->name };
    if (category >= f->categories)
      continue;
    call.category = f->category[category];
    count_verdict (m, at->formula, category);
    if (f->handlers[category])
      f->handlers[category](&call);
    else
      print_verdict (m, &call);
  }
}

static __attribute__ ((noinline)) void
call_all (omen_monitored *m, reports *all, const omen_event_place *place)
{
  char where[OMEN_PLACE_ROOM];
  int saved = errno;
  omen_place_text (place, where);
  calling = (uintptr_t)__builtin_frame_address (0);
  for (uint32_t i = 0; i < all->count; i++)
    call_handlers (m, &all->first[i], where);
  for (const bundle *b = all->more; b; b = b->next)
    for (uint32_t i = 0; i < b->count; i++)
      call_handlers (m, &b->reports[i], where);
  calling = 0;
  omen_monitor_enter ();
  for (bundle *b = all->more, *next; b; b = next) {
    next = b->next;
    omen_memory_put (&omen_monitor_memory, b, sizeof *b);
  }
  omen_monitor_leave ();
  errno = saved;
}

/* ---- events ---- */

__attribute__ ((noinline)) bool
omen_monitor_fits (const omen_module_cut *cut, const uint64_t *slots)
{
  int saved = errno;
  bool good = !cut->thread || omen_monitor_is_thread (cut->thread);
  calling = (uintptr_t)__builtin_frame_address (0);
  good = good && (!cut->holds || cut->holds (slots));
  calling = 0;
  errno = saved;
  return good;
}

static uint64_t
real_of (const omen_watched_variable *v)
{
  double value = v->size == sizeof (float)
                     ? *(const volatile float *)v->address
                     : *(const volatile double *)v->address;
  uint64_t bits;
  __builtin_memcpy (&bits, &value, sizeof bits);
  return bits;
}

static uint64_t
value_of_variable (const omen_watched_variable *v)
{
  uint64_t bits = 0;
  if (v->is_signed == OMEN_WATCHED_REAL)
    return real_of (v);
  switch (v->size) {
  case 1:
    bits = *(const volatile uint8_t *)v->address;
    break;
  case 2:
    bits = *(const volatile uint16_t *)v->address;
    break;
  case 4:
    bits = *(const volatile uint32_t *)v->address;
    break;
  default:
    return *(const volatile uint64_t *)v->address;
  }
  unsigned shift = 64 - 8 * v->size;
  return v->is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits;
}

static void
warn_missing (omen_monitored *m, uint32_t i)
{
  if (!__atomic_exchange_n (&m->missing_reported, true, __ATOMIC_RELAXED))
    omen_say (m->from->watch[i],
              ": no such variable in the program, or it was compiled without "
              "-g: what depends on it is not known");
}

/* State predicates that hold, and those of which that is not known. */
static __attribute__ ((noinline)) uint32_t
predicates_of (omen_monitored *m, uint32_t *unknown)
{
  uint64_t values[OMEN_WATCHED_MAX + 2] = { 0 }, bits;
  uint32_t count = m->from->watches;
  int saved = errno;
  for (uint32_t i = 0; i < count && i < OMEN_WATCHED_MAX; i++) {
    const omen_watched_variable *v = m->watched[i];
    if (!v) {
      warn_missing (m, i);
      values[count + 1] |= (uint64_t)1 << i;
      continue;
    }
    values[i] = value_of_variable (v);
    values[count] |= (uint64_t)(v->is_signed == OMEN_WATCHED_REAL) << i;
  }
  calling = (uintptr_t)__builtin_frame_address (0);
  bits = m->from->state (values);
  calling = 0;
  errno = saved;
  *unknown = (uint32_t)(bits >> 32);
  return (uint32_t)bits;
}

static void
bind_occurrence (const omen_monitored *m, const omen_module_event *e,
                 const uint64_t *slots, omen_occurrence *o)
{
  for (uint32_t i = 0; i < e->slots; i++)
    if (e->parameter[i] >= 0)
      o->values[e->parameter[i]] = slots[i];
  o->thread = omen_monitor_thread ();
  if (m->property.modifiers & OMEN_PER_THREAD)
    o->values[m->property.parameters - 1] = o->thread;
}

static void
count_lost (uint64_t count)
{
  __atomic_fetch_add (&omen_monitor_tally->lost, count, __ATOMIC_RELAXED);
}

/* So that a crash does not lose all counts. */
static inline void
add_counts_sometimes (omen_monitored *m, bool now)
{
  if (OMEN_UNLIKELY (++m->uncounted >= TALLY_EVERY || now))
    omen_monitor_add_counts (m);
}

/* Gives the event to the slicers; their reports go to `all`. Leaves errno
   alone. */
static void
step_slicers (omen_monitored *m, const omen_occurrence *o, reports *all)
{
  omen_monitor_enter ();
  omen_monitor_lock (m);
  for (uint32_t f = 0; f < m->property.formulas && !OMEN_REFUGE (); f++) {
    all->formula = f;
    if (!omen_slicer_event (m->parts[f].slicer, o, keep_landing, all))
      count_lost (1);
  }
  omen_monitor_has_refuge = false;
  add_counts_sometimes (m, all->count);
  omen_monitor_unlock (m);
  omen_monitor_leave ();
}

bool
omen_monitor_quick (omen_monitored *m, uint32_t event, uint64_t value)
{
  bool done;
  if (OMEN_UNLIKELY (holding || calling))
    return false;
  omen_monitor_enter ();
  omen_monitor_lock (m);
  done = omen_slicer_quick (m->parts[0].slicer, event, value);
  if (done)
    add_counts_sometimes (m, false);
  omen_monitor_unlock (m);
  omen_monitor_leave ();
  return done;
}

void
omen_monitor_event (omen_monitored *m, uint32_t event, uint32_t cut,
                    const uint64_t *slots, const omen_event_place *place)
{
  reports all;
  omen_occurrence o;
  if (OMEN_UNLIKELY (omen_monitor_busy ())) {
    if (holding)
      count_lost (1);
    return;
  }
  if (cut != OMEN_NONE && omen_cut_asks (&m->from->event[event].cut[cut])
      && !omen_monitor_fits (&m->from->event[event].cut[cut], slots))
    return;
  o.event = event;
  o.unknown = 0;
  o.apart = false;
  o.beside = NULL;
  o.predicates = m->from->state ? predicates_of (m, &o.unknown) : 0;
  bind_occurrence (m, &m->from->event[event], slots, &o);
  all.m = m;
  all.count = all.lost = 0;
  all.more = all.last = NULL;
  step_slicers (m, &o, &all);
  if (OMEN_UNLIKELY (all.lost))
    count_lost (all.lost);
  if (OMEN_UNLIKELY (all.count))
    call_all (m, &all, place);
}
