/* A trace of words.h and its model. */
#ifndef OMEN_TEST_MODELLED_H
#define OMEN_TEST_MODELLED_H

#include "words.h"

#include "model/model.h"

typedef struct modelled {
  omen_trace *trace;
  omen_model *m;
} modelled;

/* The test fails if no run could have left the trace. */
static inline modelled
modelled_init (const char *words)
{
  modelled f = { words_parse (words), NULL };
  omen_err err = { 0 };
  f.m = omen_model_new (f.trace, &err);
  if (!f.m)
    fail_msg ("%s\n  in %s", err.what, words);
  assert_true (omen_model_valid (f.m));
  return f;
}

static inline void
modelled_fini (modelled *f)
{
  omen_model_free (f->m);
  omen_trace_free (f->trace);
}

#endif
