/* trace: what the oracle generates is one trace in all forms, made directly,
   read from its text, read from its binary form. */
#include "unit.h"

#include "gen.h"
#include "io/binary.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory {
  char *data;
  size_t size;
} memory;

static memory
write_as (const omen_trace *trace, int how)
{
  memory m;
  FILE *out = open_memstream (&m.data, &m.size);
  assert_true (how < 0
                   ? omen_text_write (trace, out, NULL)
                   : omen_binary_write_as (trace, (unsigned)how, out, NULL));
  fclose (out);
  return m;
}

static omen_trace *
read_as (memory m, int how)
{
  omen_err err = { 0 };
  omen_trace *trace = how < 0 ? omen_text_parse ("t", m.data, m.size, &err)
                              : omen_binary_parse ("t", m.data, m.size, &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static void
one_identity (const omen_trace *trace)
{
  memory text = write_as (trace, -1);
  for (int how = -1; how < 4; how++) {
    memory written = write_as (trace, how), again;
    omen_trace *read = read_as (written, how);
    assert_true (omen_trace_identity (read) == omen_trace_identity (trace));
    assert_int_equal (read->flags, trace->flags);
    assert_memory_equal (read->by_thread, trace->by_thread,
                         trace->events.count * sizeof (uint32_t));
    again = write_as (read, -1);
    assert_string_equal (again.data, text.data);
    omen_trace_free (read);
    free (written.data);
    free (again.data);
  }
  free (text.data);
}

static void
generated_traces_have_one_identity_in_all_forms (void **state)
{
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    oracle_knobs knobs;
    omen_trace *trace;
    oracle_knobs_default (&knobs, seed);
    trace = oracle_generate (&knobs);
    one_identity (trace);
    omen_trace_free (trace);
  }
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { UNIT (generated_traces_have_one_identity_in_all_forms) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
