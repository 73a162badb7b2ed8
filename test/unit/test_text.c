/* trace: the text form, there and back. */
#include "unit.h"

#include "trace/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static omen_trace *
parse (const char *text, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", text, size, &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static char *
write_out (const omen_trace *trace)
{
  char *text;
  size_t size;
  omen_err err = { 0 };
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, &err));
  fclose (out);
  return text;
}

/* Written as `want`, which is read as the same trace. */
static void
becomes (const char *text, const char *want)
{
  omen_trace *first = parse (text, strlen (text)), *second;
  char *written = write_out (first);
  assert_string_equal (written, want);
  second = parse (written, strlen (written));
  assert_true (omen_trace_identity (first) == omen_trace_identity (second));
  free (written);
  omen_trace_free (first);
  omen_trace_free (second);
}

static void
same (const char *text)
{
  becomes (text, text);
}

static void
every_kind_comes_back (void **state)
{
  same ("T1|r(x)|f.c:3\nT1|r(x=5)|f.c:3\nT1|w(x)|\nT1|w(x=-5)|f.c:4\n");
  same ("T1|ar(x=5)|\nT1|ar.rlx(x=5)|\nT1|ar.acq(x)|\nT1|aw.rel(x=5)|\n"
        "T1|aw(x=5)|\nT1|rmw(x)|\nT1|rmw.acqrel(x=5:6)|\nT1|rmw(x=:6)|\n"
        "T1|rmw(x=6:)|\n");
  same ("T1|fence.acq()|\nT1|fence.rel()|\nT1|fence.sc()|\n"
        "T1|fence.acqrel()|\n");
  same ("T1|req(l)|\nT1|acq(l)|\nT1|rel(l)|\nT1|acq(l,try)|\nT1|rel(l)|\n"
        "T1|racq(l)|\nT1|rrel(l)|\nT1|racq(l,try)|\nT1|rrel(l)|\n"
        "T1|tryfail(l)|\nT1|rtryfail(l)|\nT1|lockfail(l)|\n");
  same ("T1|fork(T2)|\nT2|w(x)|\nT1|join(T2)|\n");
  same ("T1|wait(c,l)|\nT1|wake(c,l)|\nT1|wait(c)|\nT1|wake(c)|\n"
        "T1|wake(c,l,timeout)|\nT1|wake(c,l,spurious)|\n"
        "T1|wake(c,timeout)|\nT1|wake(c,spurious)|\nT1|notify(c)|\n"
        "T1|notifyall(c)|\n");
  same ("T1|seminit(s,2)|\nT1|up(s)|\nT1|down(s)|\nT1|semfail(s)|\n"
        "T1|arrive(b,3)|\nT1|depart(b)|\nT1|hb(o)|\nT1|ha(o)|\n");
  same ("T1|begin(A)|\nT1|end(A)|\nT1|enter(f)|\nT1|exit(f)|\n"
        "T1|alloc(p,8)|\nT1|free(p)|\nT1|ext(x)|\nT1|ext(x+4:2)|\n"
        "T1|branch()|\nT1|emit(e)|\nT1|emit(e,p=1,q=&x+4,r=red)|\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = { UNIT (every_kind_comes_back) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
