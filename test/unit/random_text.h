/* Random lines of the text form: every kind of event, every kind of value, in
   no order that makes sense. For tests of readers and writers, which do not
   mind. */
#ifndef OMEN_TEST_RANDOM_TEXT_H
#define OMEN_TEST_RANDOM_TEXT_H

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct random_text {
  uint64_t state;
  FILE *out;
  unsigned counts[8]; /* events by thread */
} random_text;

static inline unsigned
random_below (random_text *r, unsigned limit)
{
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return (unsigned)((r->state >> 20) % limit);
}

static inline void
random_place (random_text *r)
{
  fprintf (r->out, "v%u", random_below (r, random_below (r, 9) ? 9 : 700));
  if (!random_below (r, 4))
    fprintf (r->out, "+%u:%u", random_below (r, 4) * 4,
             1 + random_below (r, 8));
}

static inline void
random_value (random_text *r)
{
  switch (random_below (r, 8)) {
  case 0:
    fprintf (r->out, "&v%u+%u", random_below (r, 9), random_below (r, 3) * 8);
    return;
  case 1:
    fprintf (r->out, "blue%u", random_below (r, 300));
    return;
  case 2:
    fprintf (r->out, "%llu", 18446744073709551615llu - random_below (r, 9));
    return;
  case 3:
    fprintf (r->out, "%lld", -9223372036854775807ll + random_below (r, 9));
    return;
  case 4:
    fprintf (r->out, "%d", (int)random_below (r, 1u << 31) - (1 << 30));
    return;
  default:
    fprintf (r->out, "%d", (int)random_below (r, 600) - 300);
  }
}

static inline void
random_operand (random_text *r, unsigned kind)
{
  static const char names[OMEN_OPERANDS] = "..vlTcsboAfe";
  omen_operand operand = omen_kind_operand (kind);
  if (operand == OMEN_OPERAND_PLACE)
    random_place (r);
  else if (operand != OMEN_OPERAND_NOTHING)
    fprintf (r->out, "%c%u", names[operand],
             random_below (r, operand == OMEN_OPERAND_THREAD ? 8 : 300));
}

static inline void
random_rest (random_text *r, unsigned kind)
{
  bool plain = kind == OMEN_READ || kind == OMEN_WRITE
               || kind == OMEN_ATOMIC_READ || kind == OMEN_ATOMIC_WRITE;
  if ((plain || kind == OMEN_ATOMIC_RMW) && random_below (r, 4)) {
    fputc ('=', r->out);
    random_value (r);
    if (kind == OMEN_ATOMIC_RMW) {
      fputc (':', r->out);
      random_value (r);
    }
  }
  if (kind == OMEN_SEM_INIT || kind == OMEN_ARRIVE || kind == OMEN_ALLOC)
    fprintf (r->out, ",%u", 1 + random_below (r, 5));
  if ((kind == OMEN_WAIT || kind == OMEN_WAKE) && random_below (r, 2))
    fprintf (r->out, ",l%u", random_below (r, 4));
  if (kind == OMEN_WAKE && !random_below (r, 2))
    fputs (random_below (r, 2) ? ",timeout" : ",spurious", r->out);
  if ((kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE)
      && !random_below (r, 3))
    fputs (",try", r->out);
  for (unsigned i = kind == OMEN_EMIT ? random_below (r, 3) : 0; i; i--) {
    fprintf (r->out, ",key%u=", random_below (r, 3));
    random_value (r);
  }
}

static inline void
random_event (random_text *r)
{
  unsigned t = random_below (r, 8), kind = random_below (r, OMEN_KINDS);
  if (random_below (r, 3))
    kind = random_below (r, 2); /* mostly plain accesses */
  fprintf (r->out, "T%u|%s", t, omen_kind_text (kind));
  if ((omen_kind_atomic (kind) && random_below (r, 2)) || kind == OMEN_FENCE)
    fprintf (r->out, ".%s", omen_order_text (random_below (r, OMEN_ORDERS)));
  if (kind == OMEN_ATOMIC_RMW && random_below (r, 2))
    fputs (".cas", r->out);
  fputc ('(', r->out);
  random_operand (r, kind);
  random_rest (r, kind);
  fprintf (r->out, ")|file.c:%u", random_below (r, 400));
  if (r->counts[t] && !random_below (r, 8))
    fprintf (r->out, " <-%u", random_below (r, r->counts[t]));
  if (r->counts[t] && !random_below (r, 8))
    fprintf (r->out, " ^%u", random_below (r, r->counts[t]));
  fputc ('\n', r->out);
  r->counts[t]++;
}

/* The caller frees the text. */
static inline char *
random_text_new (uint64_t seed, unsigned events)
{
  char *text;
  size_t size;
  random_text r = { .state = seed * 0x9e3779b97f4a7c15u + 1 };
  r.out = open_memstream (&text, &size);
  for (unsigned i = random_below (&r, 4); i; i--) {
    fprintf (r.out, "*|init(i%u=", i);
    random_value (&r);
    fputs (")|\n", r.out);
  }
  while (events--)
    random_event (&r);
  fclose (r.out);
  return text;
}

#endif
