#include "enumerate.h"

#include <string.h>

static void
set_bit (uint64_t *bits, size_t i)
{
  bits[i / 64] |= ONE (i % 64);
}

/* Claims that are wrong at first sight stay in the list, never to be
   answered. */
void
batch_add (batch *b, const facts *f, const oracle_claim *claim)
{
  unsigned parts = claim->kind == OMEN_CLAIM_NONDET ? f->atoms[claim->events[0]]
                   : claim->kind == OMEN_CLAIM_ATOMICITY ? 2
                                                         : 1;
  for (unsigned part = 0; part < parts; part++) {
    question q;
    if (!question_init (&q, f, claim, part))
      q = (question){ .kind = OMEN_CLAIMS };
    OMEN_VEC_PUSH (b->questions, q);
    OMEN_VEC_PUSH (b->claims, *claim);
  }
}

static uint64_t *
order_questions (batch *b, unsigned before, unsigned after)
{
  for (size_t i = 0; i < b->orders.count; i++)
    if (b->orders.data[i].before == before && b->orders.data[i].after == after)
      return b->orders.data[i].questions;
  OMEN_VEC_PUSH (b->orders,
                 ((batch_order){ (uint8_t)before, (uint8_t)after,
                                 omen_zalloc (b->words, sizeof (uint64_t)) }));
  return OMEN_VEC_LAST (b->orders).questions;
}

static void
close_question (batch *b, const facts *f, size_t i)
{
  const question *q = &b->questions.data[i];
  if (q->kind == OMEN_CLAIMS)
    return;
  for (unsigned e = 0; e < f->count; e++)
    if (HAS (q->all, e))
      set_bit (&b->ends[e * b->words], i);
  for (unsigned k = 0; k < q->pairs; k++)
    set_bit (order_questions (b, q->before[k], q->after[k]), i);
  if (q->kind == OMEN_CLAIM_NONDET && f->next[q->events[0]] != NOBODY)
    set_bit (&b->follows[f->next[q->events[0]] * b->words], i);
}

void
batch_close (batch *b, const facts *f)
{
  b->words = (unsigned)(b->questions.count + 63) / 64;
  b->answered = omen_zalloc (b->words, sizeof (uint64_t));
  b->ends = omen_zalloc ((size_t)f->count * b->words, sizeof (uint64_t));
  b->follows = omen_zalloc ((size_t)f->count * b->words, sizeof (uint64_t));
  for (size_t i = 0; i < b->questions.count; i++)
    close_question (b, f, i);
}

void
batch_fini (batch *b)
{
  for (size_t i = 0; i < b->orders.count; i++)
    omen_free (b->orders.data[i].questions);
  OMEN_VEC_FINI (b->orders);
  OMEN_VEC_FINI (b->questions);
  OMEN_VEC_FINI (b->claims);
  omen_free (b->answered);
  omen_free (b->ends);
  omen_free (b->follows);
}

bool
batch_answer (const batch *b, size_t i)
{
  return b->answered[i / 64] >> i % 64 & 1;
}

/* The questions of one word that step e leaves alive, orders only. */
static uint64_t
survivors (const batch *b, const state *s, unsigned e, unsigned w,
           uint64_t alive)
{
  alive &= ~b->answered[w] & ~b->follows[e * b->words + w];
  for (size_t i = 0; alive && i < b->orders.count; i++)
    if (b->orders.data[i].after == e && !HAS (s->CUT, b->orders.data[i].before))
      alive &= ~b->orders.data[i].questions[w];
  return alive;
}

void
batch_step (batch *b, const machine *m, const state *s, unsigned e,
            const state *to, const uint64_t *alive, uint64_t *there)
{
  for (unsigned w = 0; w < b->words; w++) {
    uint64_t left = survivors (b, s, e, w, alive[w]), look;
    look = left & b->ends[e * b->words + w];
    for (; look; look &= look - 1) {
      unsigned bit = (unsigned)__builtin_ctzll (look);
      const question *q = &b->questions.data[w * 64 + bit];
      if (!question_allows (q, m, s, e))
        left &= ~ONE (bit);
      else if (question_shown (q, m, to))
        b->answered[w] |= ONE (bit);
    }
    there[w] |= left;
  }
}
