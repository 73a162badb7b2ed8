/* trace: the binary form, there and back. */
#include "unit.h"

#include "forms.h"
#include "random_text.h"

static void
comes_back (const omen_trace *trace)
{
  for (unsigned how = 0; how < 4; how++) {
    size_t size;
    char *data = to_binary (trace, how, &size);
    omen_trace *again = from_binary (data, size);
    same_trace (trace, again);
    omen_trace_free (again);
    free (data);
  }
}

static void
random_traces_come_back (void **state)
{
  for (unsigned seed = 0; seed < 200; seed++) {
    char *text = random_text_new (seed, seed < 190 ? seed : 6000);
    omen_trace *trace = from_text (text);
    comes_back (trace);
    omen_trace_free (trace);
    free (text);
  }
}

static void
an_empty_trace_comes_back (void **state)
{
  omen_trace *trace = from_text ("");
  comes_back (trace);
  omen_trace_free (trace);
}

/* Ids of one, two and four bytes, and back to small ones. */
static void
large_ids_come_back (void **state)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  omen_trace *trace;
  for (unsigned i = 0; i < 70000; i++)
    fprintf (out, "T%u|w(v%u=%u)|%u\n", i % 300, i, i * i, i / 2);
  for (unsigned i = 70000; i--; i -= i < 30 ? i : 30)
    fprintf (out, "T%u|r(v%u)|%u\n", i % 70000, i, i / 2);
  fclose (out);
  trace = from_text (text);
  comes_back (trace);
  omen_trace_free (trace);
  free (text);
}

static void
odd_names_come_back (void **state)
{
  omen_trace *trace = from_text ("T\\x00|w(x\\x00y=a\\xff)|\n"
                                 "T\\x00|alloc(p,8)|\nT\\x00|w(p)|\n"
                                 "T\\x00|alloc(p,8)|\nT\\x00|w(p)|\n");
  comes_back (trace);
  omen_trace_free (trace);
}

/* ---- what text does not have ---- */

static uint32_t
string (omen_trace *trace, const char *text)
{
  return omen_names_id (&trace->strings, text, strlen (text));
}

static omen_trace *
recorded_trace (void)
{
  omen_trace *trace = omen_trace_new ("t");
  omen_event event = { .kind = OMEN_ENTER, .mode = OMEN_MODE_EXTRA };
  omen_trace_thread (trace, "T0", 2);
  trace->threads.data[0].path = string (trace, "0.2.1");
  omen_trace_name (trace, OMEN_OPERAND_FUNCTION, "main", 4);
  omen_names_id (&trace->locations, "f.c:1", 5);
  omen_trace_add (trace, &event);
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ 0, OMEN_NONE, OMEN_NONE }));
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ OMEN_NONE, 0, 0 }));
  OMEN_VEC_PUSH (trace->extras, ((omen_extra){ 0, 0, 0, OMEN_NONE, 1 }));
  OMEN_VEC_PUSH (trace->modules, ((omen_module){ string (trace, "/bin/x"),
                                                 OMEN_NONE, 0x400000, 4096 }));
  OMEN_VEC_PUSH (trace->modules,
                 ((omen_module){ string (trace, "/lib/y"),
                                 string (trace, "c0ffee"), 1, 2 }));
  trace->program = string (trace, "x --fast");
  trace->flags = OMEN_TRACE_STACKS | OMEN_TRACE_PARTIAL;
  assert_true (omen_trace_seal (trace, NULL));
  return trace;
}

static void
what_recorders_add_comes_back (void **state)
{
  omen_trace *trace = recorded_trace (), *again;
  size_t size;
  char *data = to_binary (trace, 0, &size);
  again = from_binary (data, size);
#define TEXT(id) omen_names_text (&again->strings, (id))
  assert_string_equal (TEXT (again->threads.data[0].path), "0.2.1");
  assert_string_equal (TEXT (again->program), "x --fast");
  assert_int_equal (again->modules.count, 2);
  assert_string_equal (TEXT (again->modules.data[0].path), "/bin/x");
  assert_int_equal (again->modules.data[0].build_id, OMEN_NONE);
  assert_string_equal (TEXT (again->modules.data[1].build_id), "c0ffee");
  assert_int_equal (again->modules.data[0].base, 0x400000);
  assert_int_equal (omen_trace_extra (again, 0)->stack, 1);
  assert_int_equal (again->flags, trace->flags);
  SAME_ARRAY (trace, again, stacks);
  omen_trace_free (again);
  omen_trace_free (trace);
  free (data);
}

/* ---- identity ---- */

static void
traces_that_differ_have_different_identities (void **state)
{
  static const char *const texts[] = {
    "",
    "A|r(x)|\n",
    "A|w(x)|\n",
    "B|w(x)|\n",
    "A|w(y)|\n",
    "A|w(x)|1\n",
    "A|w(x+0:4)|\n",
    "A|w(x+0:8)|\n",
    "A|w(x=1)|\n",
    "A|w(x=a)|\n",
    "A|w(x=b)|\n",
    "A|w(x=&x)|\n",
    "A|aw(x)|\n",
    "A|aw.rel(x)|\n",
    "*|init(x=1)|\nA|w(x)|\n",
    "*|init(x=2)|\nA|w(x)|\n",
    "A|rmw(x=1:2)|\n",
    "A|rmw(x=1:3)|\n",
    "A|acq(x)|\n",
    "A|acq(x,try)|\n",
    "A|wait(c)|\n",
    "A|wait(c,l)|\n",
    "A|emit(e)|\n",
    "A|emit(e,k=1)|\n",
    "A|emit(e,k=2)|\n",
    "A|emit(e,j=1)|\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|<-0\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|<-1\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|<-0,1\n",
    "A|r(x)|\nA|r(y)|<-0\nA|w(z)|\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|^0\n",
    "A|r(x)|\nA|r(y)|\nA|w(z)|^1\n",
  };
  uint64_t seen[OMEN_COUNT (texts)];
  for (size_t i = 0; i < OMEN_COUNT (texts); i++) {
    omen_trace *trace = from_text (texts[i]);
    seen[i] = omen_trace_identity (trace);
    omen_trace_free (trace);
    for (size_t j = 0; j < i; j++)
      if (seen[i] == seen[j])
        fail_msg ("one identity for %s and %s", texts[i], texts[j]);
  }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (random_traces_come_back),
    UNIT (an_empty_trace_comes_back),
    UNIT (large_ids_come_back),
    UNIT (odd_names_come_back),
    UNIT (what_recorders_add_comes_back),
    UNIT (traces_that_differ_have_different_identities),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
