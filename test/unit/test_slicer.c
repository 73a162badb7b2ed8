/* Parametric slicing on the RV paper's example, and what becomes of memory. */
#include "unit.h"

#include "monitor/slicer.h"
#include "spec/compile.h"

#include <stdio.h>
#include <string.h>

/* Figure 2, with one formula; parameters m, c, i. */
static const char head[]
    = "property UnsafeMapIterator(map *m, collection *c, iterator *i) {\n"
      "  event create_coll(m, c);\n  event create_iter(c, i);\n"
      "  event use_iter(i);\n  event update_map(m);\n";
static const char *const formulas[] = {
  "fsm: start [ create_coll -> s1 ] s1 [ update_map -> s1, create_iter -> s2 ]"
  " s2 [ use_iter -> s2, update_map -> s3 ]"
  " s3 [ update_map -> s3, use_iter -> end ] end [ ] @end { }",
  "ere: create_coll update_map* create_iter use_iter* update_map+ use_iter"
  " @match { }",
  "cfg: S -> create_coll Updates create_iter Nexts update_map Updates use_iter,"
  " Nexts -> Nexts use_iter | epsilon, Updates -> Updates update_map | epsilon"
  " @match { }",
  "ftltl: <>(create_coll and <> (create_iter and <> (update_map and"
  " <> use_iter))) @validation { }",
  "ptltl: use_iter -> ((<*> (create_iter and (<*> create_coll)))"
  " -> ((not update_map) S create_iter)) @violation { }",
  "pattern: create_coll create_iter update_map use_iter @match { }",
};
enum { FSM, ERE, CFG, LTL, PTLTL, PATTERN };

/* Figure 3: event, and values of m, c, i. */
enum { CREATE_COLL, CREATE_ITER, USE_ITER, UPDATE_MAP };
enum { M1 = 1, M2, C1 = 11, C2, C3, I1 = 21, I2, I3, I4 };
static const omen_occurrence figure_3[] = {
  { .event = CREATE_COLL, .values = { M1, C1, 0 } },
  { .event = CREATE_COLL, .values = { M1, C2, 0 } },
  { .event = CREATE_ITER, .values = { 0, C1, I1 } },
  { .event = CREATE_ITER, .values = { 0, C1, I2 } },
  { .event = USE_ITER, .values = { 0, 0, I1 } },
  { .event = CREATE_ITER, .values = { 0, C2, I3 } },
  { .event = UPDATE_MAP, .values = { M1, 0, 0 } },
  { .event = USE_ITER, .values = { 0, 0, I2 } },
  { .event = CREATE_COLL, .values = { M2, C3, 0 } },
  { .event = CREATE_ITER, .values = { 0, C3, I4 } },
  { .event = USE_ITER, .values = { 0, 0, I4 } },
};

/* Figure 4. */
static const struct {
  uint32_t set;
  uint64_t values[3];
  const char *slice;
} figure_4[] = {
  { 1, { M1 }, "update_map " },
  { 3, { M1, C1 }, "create_coll update_map " },
  { 3, { M1, C2 }, "create_coll update_map " },
  { 3, { M2, C3 }, "create_coll " },
  { 7, { M1, C1, I1 }, "create_coll create_iter use_iter update_map " },
  { 7, { M1, C1, I2 }, "create_coll create_iter update_map use_iter " },
  { 7, { M1, C2, I3 }, "create_coll create_iter update_map " },
  { 7, { M2, C3, I4 }, "create_coll create_iter use_iter " },
};

/* ---- memory that counts, and may run out ---- */

typedef struct meter {
  size_t live;
  long left; /* so many more; -1: no end */
} meter;

static void *
get (void *self, size_t bytes)
{
  meter *m = self;
  if (m->left == 0)
    return NULL;
  m->left -= m->left > 0;
  m->live += bytes;
  return omen_alloc (bytes);
}

static void
put (void *self, void *p, size_t bytes)
{
  meter *m = self;
  assert_true (m->live >= bytes);
  m->live -= bytes;
  omen_free (p);
}

/* ---- the property ---- */

typedef struct subject {
  omen_spec *spec;
  omen_compiled *compiled;
  const omen_property *p;
  unsigned reports;
  uint64_t values[3];
  uint32_t bound;
} subject;

static void
compile (subject *s, const char *formula)
{
  char text[2048];
  omen_err err = { 0 };
  snprintf (text, sizeof text, "%s%s\n}\n", head, formula);
  *s = (subject){ 0 };
  s->spec = omen_spec_parse ("figure", text, strlen (text), &err);
  assert_non_null (s->spec);
  s->compiled = omen_spec_compile (s->spec, &err);
  assert_non_null (s->compiled);
  s->p = &s->compiled->properties[0];
}

static void
subject_fini (subject *s)
{
  omen_compiled_free (s->compiled);
  omen_spec_free (s->spec);
}

static bool
note (void *self, const omen_landing_report *report)
{
  subject *s = self;
  s->reports++;
  s->bound = report->bound;
  memcpy (s->values, report->values, sizeof s->values);
  return false;
}

/* ---- figure 4 ---- */

static void
slices_are_those_of_figure_4 (void **state)
{
  subject s;
  (void)state;
  compile (&s, formulas[ERE]);
  for (size_t i = 0; i < OMEN_COUNT (figure_4); i++) {
    char slice[200] = "";
    for (size_t e = 0; e < OMEN_COUNT (figure_3); e++) {
      uint32_t binds = s.p->event[figure_3[e].event].binds;
      bool in = !(binds & ~figure_4[i].set);
      for (int j = 0; j < 3; j++)
        in &= !(binds >> j & 1)
              || figure_3[e].values[j] == figure_4[i].values[j];
      if (in) {
        strcat (slice, s.p->event[figure_3[e].event].name);
        strcat (slice, " ");
      }
    }
    assert_string_equal (slice, figure_4[i].slice);
  }
  subject_fini (&s);
}

static void
count_known (void *self, const omen_landing_report *instance)
{
  unsigned *known = self;
  for (size_t i = 1; i < OMEN_COUNT (figure_4); i++)
    *known += instance->bound == figure_4[i].set
              && !memcmp (instance->values, figure_4[i].values,
                          sizeof figure_4[i].values);
}

/* All of Figure 4 but <m1>. (A pattern, which no other event can spoil, follows
   other pairs as well.) */
static void
monitors_are_those_of_figure_4 (void **state)
{
  (void)state;
  for (size_t f = 0; f < OMEN_COUNT (formulas); f++) {
    meter m = { 0, -1 };
    omen_memory memory = { get, put, &m };
    uint64_t before = 0, strict = f <= PTLTL;
    unsigned known = 0;
    omen_slicer *slicer;
    subject s;
    compile (&s, formulas[f]);
    slicer = omen_slicer_new (s.p, 0, &memory);
    for (size_t e = 0; e < OMEN_COUNT (figure_3); e++) {
      before = omen_slicer_count (slicer).steps;
      assert_true (omen_slicer_event (slicer, &figure_3[e], note, &s));
      if (e == 6 && strict)
        assert_int_equal (omen_slicer_count (slicer).steps - before, 5);
      assert_int_equal (s.reports, e >= 7);
    }
    assert_int_equal (s.bound, 7);
    assert_int_equal (s.values[0], M1);
    assert_int_equal (s.values[1], C1);
    assert_int_equal (s.values[2], I2);
    omen_slicer_each (slicer, count_known, &known);
    assert_int_equal (known, 7);
    if (strict)
      assert_int_equal (omen_slicer_count (slicer).created, 7);
    omen_slicer_free (slicer);
    assert_int_equal (m.live, 0);
    subject_fini (&s);
  }
}

/* ---- objects that die ---- */

static void
memory_comes_back (void **state)
{
  (void)state;
  for (size_t f = 0; f < OMEN_COUNT (formulas); f++) {
    meter m = { 0, -1 };
    omen_memory memory = { get, put, &m };
    omen_slicer *slicer;
    size_t start, full;
    subject s;
    compile (&s, formulas[f]);
    slicer = omen_slicer_new (s.p, 0, &memory);
    for (unsigned round = 0; round < 2; round++) {
      omen_occurrence coll = { .event = CREATE_COLL, .values = { 1, 2, 0 } };
      omen_slicer_event (slicer, &coll, note, &s);
      start = m.live;
      for (uint64_t i = 0; i < 300; i++) {
        omen_occurrence iter
            = { .event = CREATE_ITER, .values = { 0, 2, 1000 + i } };
        omen_occurrence use
            = { .event = USE_ITER, .values = { 0, 0, 1000 + i } };
        omen_slicer_event (slicer, &iter, note, &s);
        omen_slicer_event (slicer, &use, note, &s);
      }
      full = m.live;
      assert_true (full > start);
      assert_true (f > PTLTL || omen_slicer_count (slicer).live == 301);
      for (uint64_t i = 0; i < 300; i++)
        omen_slicer_dead (slicer, 1000 + i);
      assert_int_equal (omen_slicer_count (slicer).live, 1);
      assert_true (m.live < start + (full - start) / 4);
      omen_slicer_dead (slicer, 1);
      omen_slicer_dead (slicer, 2);
      assert_int_equal (omen_slicer_count (slicer).live, 0);
    }
    omen_slicer_free (slicer);
    assert_int_equal (m.live, 0);
    subject_fini (&s);
  }
}

static void
a_reused_address_is_another_object (void **state)
{
  static const omen_occurrence events[] = {
    { .event = CREATE_COLL, .values = { M1, C1, 0 } },
    { .event = CREATE_ITER, .values = { 0, C1, I1 } },
    { .event = UPDATE_MAP, .values = { M1, 0, 0 } },
    { .event = USE_ITER, .values = { 0, 0, I1 } },
  };
  (void)state;
  for (unsigned died = 0; died < 2; died++) {
    meter m = { 0, -1 };
    omen_memory memory = { get, put, &m };
    omen_slicer *slicer;
    subject s;
    compile (&s, formulas[ERE]);
    slicer = omen_slicer_new (s.p, 0, &memory);
    for (size_t e = 0; e < OMEN_COUNT (events); e++) {
      if (e == 3 && died)
        omen_slicer_dead (slicer, I1);
      omen_slicer_event (slicer, &events[e], note, &s);
    }
    assert_int_equal (s.reports, !died);
    omen_slicer_free (slicer);
    subject_fini (&s);
  }
}

/* ---- no memory ---- */

/* Whichever request is refused: events may be missed, nothing else happens, and
   everything is given back. */
static void
memory_may_run_out (void **state)
{
  (void)state;
  for (size_t f = 0; f < OMEN_COUNT (formulas); f++)
    for (long left = 0; left < 60; left++) {
      meter m = { 0, left };
      omen_memory memory = { get, put, &m };
      omen_slicer *slicer;
      subject s;
      compile (&s, formulas[f]);
      slicer = omen_slicer_new (s.p, 0, &memory);
      for (size_t e = 0; slicer && e < OMEN_COUNT (figure_3); e++) {
        omen_slicer_event (slicer, &figure_3[e], note, &s);
        if (e == 8)
          omen_slicer_dead (slicer, C1);
      }
      omen_slicer_free (slicer);
      assert_int_equal (m.live, 0);
      subject_fini (&s);
    }
}

UNIT_MAIN (UNIT (slices_are_those_of_figure_4),
           UNIT (monitors_are_those_of_figure_4), UNIT (memory_comes_back),
           UNIT (a_reused_address_is_another_object), UNIT (memory_may_run_out))
