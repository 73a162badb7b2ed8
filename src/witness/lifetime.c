#include "witness/lifetime.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text, *headline;
} lifetimes[] = {
  { "use-after-free", "use after free of" },
  { "double-free", "double free of" },
  { "use-after-return", "use after its function returned of" },
  { "use-after-thread", "use after its thread ended of" },
  { "use-after-close", "use after close of" },
  { "close-twice", "closed twice:" },
  { "free-in-call", "a call of libc uses, after free," },
  { "use-after-destroy", "use after destroy of" },
  { "use-before-init", "read before its first write of" },
  { "null", "null pointer followed from" },
};

_Static_assert (OMEN_COUNT (lifetimes) == OMEN_LIFETIMES, "texts a lifetime");

/* By the names that recordings give them (doc/recording.md). */
static const char *
name_of (const omen_trace *trace, omen_eid access)
{
  omen_pid place = omen_trace_event (trace, access)->object;
  return omen_trace_variable_name (trace, trace->places.data[place].variable);
}

uint32_t
omen_lifetime_descriptor (const omen_trace *trace, omen_eid access)
{
  const char *name = name_of (trace, access);
  char *end;
  unsigned long number;
  if (strncmp (name, "fd", 2) || name[2] < '0' || name[2] > '9')
    return OMEN_NONE;
  number = strtoul (name + 2, &end, 10);
  return *end && *end != '@' && *end != '~' ? OMEN_NONE : (uint32_t)number;
}

bool
omen_lifetime_ends_with_thread (const omen_trace *trace, omen_eid freed)
{
  const omen_event *event = omen_trace_event (trace, freed);
  const char *at = strrchr (name_of (trace, freed), '@');
  const char *thread = omen_trace_thread_name (trace, event->thread);
  size_t length = strlen (thread);
  return at && !*omen_trace_location (trace, freed)
         && !strncmp (at + 1, thread, length)
         && (!at[length + 1] || at[length + 1] == '~');
}

/* No instruction accesses that many bytes; memcpy, read and the like do. */
static bool
is_of_call (const omen_trace *trace, omen_eid use)
{
  const omen_place *place
      = &trace->places.data[omen_trace_event (trace, use)->object];
  return place->size != OMEN_WHOLE && place->size > 64;
}

/* Does one access what the other ends? If not, it reads a pointer to it. */
static bool
uses (const omen_trace *trace, const omen_claim *claim)
{
  omen_vid ended[2];
  for (unsigned i = 0; i < 2; i++)
    ended[i]
        = trace->places
              .data[omen_trace_event (trace, claim->events.data[i])->object]
              .variable;
  return ended[0] == ended[1];
}

omen_lifetime
omen_lifetime_of (const omen_trace *trace, const omen_claim *claim)
{
  omen_eid end = claim->events.data[0], use = claim->events.data[1];
  const omen_event *first = omen_trace_event (trace, end);
  const omen_event *second = omen_trace_event (trace, use);
  bool again = second->kind == OMEN_FREE
               || (second->kind == OMEN_READ && second->mode & OMEN_MODE_FREED
                   && !uses (trace, claim));
  const char *name;
  OMEN_REQUIRE (claim->kind == OMEN_CLAIM_LIFETIME);
  if (first->kind == OMEN_ALLOC)
    return OMEN_LIFETIME_RAW;
  if (first->kind != OMEN_FREE)
    return first->mode & OMEN_MODE_GONE ? OMEN_LIFETIME_DESTROYED
                                        : OMEN_LIFETIME_NULL;
  name = name_of (trace, end);
  if (omen_lifetime_descriptor (trace, end) != OMEN_NONE)
    return again ? OMEN_LIFETIME_CLOSED_TWICE : OMEN_LIFETIME_CLOSED;
  if (again)
    return OMEN_LIFETIME_FREED_TWICE;
  if (!strncmp (name, "malloc", 6) || !strncmp (name, "mmap", 4)
      || !strchr (name, '@'))
    return is_of_call (trace, use) ? OMEN_LIFETIME_IN_CALL
                                   : OMEN_LIFETIME_FREED;
  return omen_lifetime_ends_with_thread (trace, end) ? OMEN_LIFETIME_THREAD
                                                     : OMEN_LIFETIME_STACK;
}

const char *
omen_lifetime_text (omen_lifetime what)
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  return lifetimes[what].text;
}

const char *
omen_lifetime_headline (omen_lifetime what)
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  return lifetimes[what].headline;
}
