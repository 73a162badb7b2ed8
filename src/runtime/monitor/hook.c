/* Hooks before library functions: the C half of hook.S. They may be called
   before anything else of the runtime, and while the dynamic loader works. */
#include "runtime/monitor/monitor.h"

typedef struct answer {
  void *real;
  uint64_t after;
} answer;

/* The first six are in registers, the others on the stack. */
typedef struct arguments {
  const uint64_t *registers, *stack;
  uint64_t result;
} arguments;

answer omen_hook_enter (omen_hook *hook, const uint64_t *registers,
                        const uint64_t *stack, uint64_t pc);
void omen_hook_leave (omen_hook *hook, const uint64_t *registers,
                      const uint64_t *stack, uint64_t pc, uint64_t result);

static uint64_t
value_of_argument (const arguments *a, unsigned source)
{
  switch (source) {
  case OMEN_HOOK_RESULT:
    return a->result;
  case OMEN_HOOK_STORED:
    return *(const uint64_t *)a->registers[0];
  case OMEN_HOOK_THREAD:
    return omen_monitor_thread ();
  default:
    return source < 6 ? a->registers[source] : a->stack[source - 6];
  }
}

static bool
arguments_fit (const omen_hook_cut *cut, const arguments *a)
{
  if ((cut->only == OMEN_HOOK_ZERO && (int)a->result)
      || (cut->only == OMEN_HOOK_NOT_ZERO && !a->result)
      || (cut->only == OMEN_HOOK_GIVEN && !a->registers[0]))
    return false;
  for (unsigned i = 0; i < cut->tests; i++) {
    uint64_t value = value_of_argument (a, (unsigned)cut->test[2 * i]);
    int64_t wanted = cut->test[2 * i + 1];
    if ((int64_t)value != wanted && (int32_t)value != wanted)
      return false;
  }
  return true;
}

static void
run_events (const omen_hook *hook, const arguments *a, bool after, uint64_t pc)
{
  omen_event_place place = { NULL, pc };
  for (uint32_t i = 0; i < hook->count; i++) {
    const omen_hook_cut *cut = &hook->cuts[i];
    omen_monitored *m;
    uint64_t slots[32] = { 0 };
    if (cut->after != after || !arguments_fit (cut, a)
        || !(m = omen_monitor_find (hook->module->spec, cut->property)))
      continue;
    for (unsigned k = 0; k < cut->pairs; k++)
      slots[cut->pair[2 * k + 1]] = value_of_argument (a, cut->pair[2 * k]);
    omen_monitor_event (m, cut->event, cut->cut, slots, &place);
  }
}

static void
note_used (const omen_hook *hook)
{
  for (uint32_t i = 0; i < hook->count; i++)
    omen_monitor_seen (hook->module->spec, hook->cuts[i].property,
                       hook->cuts[i].event, hook->cuts[i].cut,
                       OMEN_SEEN_HOOKED);
}

/* Only calls by the program and its libraries count, not those made for a
   handler. */
static bool
is_event (const omen_hook *hook)
{
  return omen_monitor_on && hook->module && !omen_monitor_busy ();
}

answer
omen_hook_enter (omen_hook *hook, const uint64_t *registers,
                 const uint64_t *stack, uint64_t pc)
{
  arguments a = { registers, stack, 0 };
  if (OMEN_UNLIKELY (!hook->real))
    hook->real = omen_real_after (hook->name, hook);
  if (!is_event (hook))
    return (answer){ hook->real, false };
  if (OMEN_UNLIKELY (!hook->called)) {
    hook->called = true;
    note_used (hook);
  }
  run_events (hook, &a, false, pc);
  return (answer){ hook->real, hook->after };
}

void
omen_hook_leave (omen_hook *hook, const uint64_t *registers,
                 const uint64_t *stack, uint64_t pc, uint64_t result)
{
  arguments a = { registers, stack, result };
  if (is_event (hook))
    run_events (hook, &a, true, pc);
}

/* Counts which pointcuts on library functions have callers. */
void
omen_hooks_count (const omen_spec_module *module)
{
  for (uint32_t h = 0; h < module->hook_count; h++)
    if (omen_real_is_used (module->hooks[h].name, module))
      note_used (&module->hooks[h]);
}
