/* A recording made by hand in tests (recording_file.h) with the sites that most
   of them need, items with and without numbers, and the trace it becomes. */
#ifndef OMEN_TEST_RECORDED_H
#define OMEN_TEST_RECORDED_H

#include "recording_file.h"

#include "trace/text.h"
#include "trace/wellformed.h"

#include <stdio.h>

typedef struct recorded {
  recording r;
  omen_site *load, *store, *enter, *inlined, *leave, *landed, *local,
      *local_end;
} recorded;

static inline void
recorded_init (recorded *f)
{
  recording *r = &f->r;
  recording_init (r);
  f->load = recording_site (r, OMEN_SITE_LOAD, 4, "f.c", 1);
  f->store = recording_site (r, OMEN_SITE_STORE, 4, "f.c", 2);
  f->enter = recording_site (r, OMEN_SITE_ENTER, 0, "f.c", 3);
  f->inlined = recording_add_site (
      r, (omen_file_site){ .kind = OMEN_SITE_ENTER,
                           .line = 7,
                           .function = recording_string (r, "g\nf.c\n7"),
                           .file = recording_string (r, "f.c"),
                           .name = OMEN_NONE,
                           .caller = f->load->id });
  f->leave = recording_site (r, OMEN_SITE_EXIT, 0, "f.c", 4);
  f->landed = recording_site (r, OMEN_SITE_LANDED, 0, "f.c", 5);
  f->local = recording_site (r, OMEN_SITE_STACK_ALLOC, 0, "f.c", 6);
  f->local_end = recording_site (r, OMEN_SITE_STACK_FREE, 0, "f.c", 7);
}

/* An item that has the next number of its object's shard. */
static inline void
item (recorded *f, uint32_t t, unsigned kind, uint64_t object, uint64_t arg)
{
  recording_item (&f->r, t, kind, object, recording_number (&f->r, object), arg,
                  0);
}

/* One without. */
static inline void
plain (recorded *f, uint32_t t, unsigned kind, uint64_t object, uint64_t arg)
{
  recording_item (&f->r, t, kind, object, 0, arg, 0);
}

/* The trace as text, checked; to be freed. */
static inline char *
recorded_text (recording *r)
{
  omen_err err = { 0 };
  omen_trace *trace = recording_load (r, &err);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!trace)
    print_error ("%s\n", err.what);
  assert_non_null (trace);
  if (!omen_wellformed (trace, NULL, &err))
    print_error ("%s\n", err.what);
  assert_false (err.set);
  assert_true (omen_text_write (trace, out, &err));
  fclose (out);
  omen_trace_free (trace);
  return text;
}

#endif
