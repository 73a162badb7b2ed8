/* Writes a witness; the sequence as stretches of single threads. */
#include "base/print.h"
#include "witness/witness.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Spaces, backslashes and unprintable bytes as \xHH, an empty text as \-. */
static void
write_text (FILE *out, const char *text, size_t length)
{
  if (!length)
    fputs ("\\-", out);
  for (size_t i = 0, size; i < length; i += size ? size : 1) {
    size = omen_print_plain (text + i, length - i);
    if (text[i] == ' ' || text[i] == '\\')
      size = 0;
    if (size)
      fwrite (text + i, 1, size, out);
    else
      fprintf (out, "\\x%02x", (unsigned char)text[i]);
  }
}

/* " NAME FORMULA CATEGORY" of a property claim. */
static void
write_about (FILE *out, const omen_claim *claim)
{
  const omen_about *about = claim->about;
  putc (' ', out);
  write_text (out, about->property, strlen (about->property));
  fprintf (out, " %u ", claim->word);
  write_text (out, about->category, strlen (about->category));
}

static void
write_binding (FILE *out, const omen_about *about)
{
  fprintf (out, "spec %016" PRIx64 "\n", about->spec);
  for (size_t i = 0; i < about->binding.count; i++) {
    const omen_bound *bound = &about->binding.data[i];
    fputs ("bind ", out);
    write_text (out, bound->name, strlen (bound->name));
    putc (' ', out);
    write_text (out, bound->value, strlen (bound->value));
    putc ('\n', out);
  }
}

static void
write_claim (FILE *out, const omen_claim *claim)
{
  fprintf (out, "claim %s", omen_claim_text (claim->kind));
  if (claim->about)
    write_about (out, claim);
  for (size_t i = 0; i < claim->events.count; i++)
    if (claim->events.data[i] == OMEN_NONE)
      fputs (" -1", out);
    else
      fprintf (out, " %" PRIu32, claim->events.data[i]);
  if (claim->kind == OMEN_CLAIM_NONDET)
    fprintf (out, " %s", omen_nondet_text (claim->word));
  if (claim->kind == OMEN_CLAIM_MISUSE)
    fprintf (out, " %s", omen_misuse_text (claim->word));
  putc ('\n', out);
  if (claim->about)
    write_binding (out, claim->about);
}

/* A comment a claimed event, for people. */
static void
write_claimed_events (FILE *out, const omen_trace *trace,
                      const omen_claim *claim)
{
  for (size_t i = 0; i < claim->events.count; i++) {
    char event[OMEN_WITNESS_EVENT_MAX];
    omen_eid e = claim->events.data[i];
    if (e == OMEN_NONE || (i && e == claim->events.data[i - 1]))
      continue;
    omen_witness_event (trace, e, event);
    omen_print (out, "# %" PRIu32 ": %s\n", e, event);
  }
}

/* Number of events from step i on that are consecutive in one thread. */
static size_t
run_length (const omen_witness *witness, const omen_trace *trace, size_t i)
{
  const omen_eid *sequence = witness->sequence.data;
  size_t length = 1;
  while (i + length < witness->sequence.count
         && omen_trace_event (trace, sequence[i + length])->thread
                == omen_trace_event (trace, sequence[i])->thread
         && trace->index[sequence[i + length]]
                == trace->index[sequence[i]] + length)
    length++;
  return length;
}

bool
omen_witness_write (const omen_witness *witness, const omen_trace *trace,
                    FILE *out, omen_err *err)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_THREAD];
  fputs ("omen-witness 1\n", out);
  fprintf (out, "trace %016" PRIx64 " %" PRIu32 "\n", witness->identity,
           witness->trace_events);
  fprintf (out, "model %s\n", omen_model_text (witness->model));
  write_claim (out, &witness->claim);
  write_claimed_events (out, trace, &witness->claim);
  for (size_t i = 0, length; i < witness->sequence.count; i += length) {
    omen_eid e = witness->sequence.data[i];
    const omen_name *name;
    OMEN_REQUIRE (e < trace->events.count);
    length = run_length (witness, trace, i);
    fputs ("run ", out);
    name = &names->names[omen_trace_event (trace, e)->thread];
    write_text (out, name->text, name->length);
    fprintf (out, " %" PRIu32 " %zu\n", trace->index[e],
             trace->index[e] + length);
  }
  fputs ("end\n", out);
  return !ferror (out)
         || omen_err_io (err, "", "cannot write the witness: %s",
                         strerror (errno));
}
