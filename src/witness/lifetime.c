#include "witness/lifetime.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text, *before, *after; /* of a headline: what stands around the
                                        name */
  const char *use;                   /* what its thread does then */
} lifetimes[] = {
  { "use-after-free", "use after free of ", "", "uses freed memory" },
  { "double-free", "double free of ", "", "frees it again" },
  { "use-after-return", "use of local variable ",
    " after its function returned", "uses it after the return" },
  { "use-after-thread", "use of ", " after the end of its thread",
    "uses it after that" },
  { "use-after-close", "use of file descriptor ", " after close",
    "uses it after close" },
  { "close-twice", "second close of file descriptor ", "", "closes it again" },
  { "free-in-call", "use after free of ", " in a call of the C library",
    "uses freed memory" },
  { "use-after-destroy", "use of ", " after it was destroyed",
    "uses it after that" },
  { "use-before-init", "read of ", " before its first write",
    "reads it before it is written" },
  { "null", "use of null pointer in ", "", "reads the null pointer" },
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

/* Is it a part of the same operation, as recorded? */
static bool
is_beside (const omen_trace *trace, omen_eid use, uint32_t index)
{
  const omen_event *event = omen_trace_event (trace, use);
  omen_eid other;
  if (index >= trace->threads.data[event->thread].count)
    return false;
  other = omen_trace_nth (trace, event->thread, index);
  return trace->items.data[other] == trace->items.data[use]
         && omen_trace_event (trace, other)->kind == event->kind;
}

/* No instruction accesses that many bytes, or several words at once; memcpy,
   read and the like do. */
static bool
is_of_call (const omen_trace *trace, omen_eid use)
{
  const omen_event *event = omen_trace_event (trace, use);
  const omen_place *place = &trace->places.data[event->object];
  uint32_t index = trace->index[use];
  if (place->size != OMEN_WHOLE && place->size > 64)
    return true;
  return trace->items.count == trace->events.count
         && (event->kind == OMEN_READ || event->kind == OMEN_WRITE)
         && (is_beside (trace, use, index + 1)
             || (index && is_beside (trace, use, index - 1)));
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
omen_lifetime_use (omen_lifetime what)
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  return lifetimes[what].use;
}

void
omen_lifetime_headline (omen_lifetime what, const char *words[2])
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  words[0] = lifetimes[what].before;
  words[1] = lifetimes[what].after;
}
