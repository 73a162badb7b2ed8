/* Any bytes as a witness of a small trace: reading never crashes, what was read
   is written and read back the same, and judging it never crashes.

   An input that starts with '@' is the part of a witness after its trace line,
   so that the corpus does not depend on how traces are identified. */
#include "fuzz.h"

#include "io/text_read.h"
#include "witness/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char traced[]
    = "*|init(x=0)|\n"
      "T1|fork(T2)|\nT1|acq(l)|\nT1|w(x=1)|\nT1|wait(c,l)|\n"
      "T2|acq(l)|\nT2|r(x=1)|\nT2|branch()<-1|\nT2|notify(c)^2|\nT2|rel(l)|\n"
      "T1|wake(c,l)|\nT1|rel(l)|\nT1|seminit(s,0)|\nT1|up(s)|\nT2|down(s)|\n"
      "T2|aw.rel(f=1)|\nT1|ar.acq(f=1)|\nT1|rmw(f=1:2)|\nT2|hb(o)|\n"
      "T1|ha(o)|\nT1|arrive(b,2)|\nT2|arrive(b,2)|\nT1|depart(b)|\n"
      "T2|depart(b)|\nT1|alloc(p,8)|\nT1|w(p+0:4=3)|\nT2|begin(A)|\n"
      "T2|r(p+0:2=3)|\nT2|w(x=2)|\nT2|end(A)|\nT1|ext(x)|\nT1|r(x=9)|\n"
      "T1|racq(m)|\nT3|tryfail(m)|\nT3|req(m)|\nT1|acq(m)|\n";

static char *
with_head (const omen_trace *trace, const uint8_t *data, size_t *size)
{
  char *text = malloc (*size + 80);
  int head = 0;
  if (!text)
    abort ();
  if (*size && data[0] == '@') {
    head = sprintf (text, "omen-witness 1\ntrace %016" PRIx64 " %zu\n",
                    omen_trace_identity (trace), trace->events.count);
    data++;
    --*size;
  }
  if (*size)
    memcpy (text + head, data, *size);
  *size += (size_t)head;
  return text;
}

static bool
same (const omen_ids *a, const omen_ids *b)
{
  return a->count == b->count
         && (!a->count
             || !memcmp (a->data, b->data, a->count * sizeof *a->data));
}

static void
write_and_read_back (const omen_witness *w, const omen_trace *trace)
{
  char *text = NULL;
  size_t size;
  omen_err err = { 0 };
  omen_witness back;
  FILE *out = open_memstream (&text, &size);
  omen_witness_init (&back);
  if (!out || !omen_witness_write (w, trace, out, &err))
    abort ();
  fclose (out);
  if (!omen_witness_parse (&back, trace, "back", text, size, &err)
      || back.identity != w->identity || back.model != w->model
      || back.claim.kind != w->claim.kind || back.claim.word != w->claim.word
      || !same (&back.claim.events, &w->claim.events)
      || !same (&back.sequence, &w->sequence))
    abort ();
  omen_witness_fini (&back);
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("trace", traced, strlen (traced), &err);
  omen_verifier *verifier = trace ? omen_verifier_new (trace, &err) : NULL;
  omen_witness w;
  char *text;
  if (!verifier) {
    fprintf (stderr, "%s: %s\n", err.where, err.what);
    abort ();
  }
  text = with_head (trace, data, &size);
  omen_witness_init (&w);
  if (omen_witness_parse (&w, trace, "witness", text, size, &err)) {
    write_and_read_back (&w, trace);
    for (w.model = 0; w.model < OMEN_MODELS; w.model++)
      omen_verify (verifier, &w, &err);
  }
  omen_witness_fini (&w);
  free (text);
  omen_verifier_free (verifier);
  omen_trace_free (trace);
  return 0;
}
