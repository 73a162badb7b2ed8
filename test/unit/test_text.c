/* trace: the text form, there and back. */
#include "unit.h"

#include "trace/text.h"
#include "io/text_read.h"

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
        "T1|tryfail(l)|\nT1|rtryfail(l)|\nT1|lockfail(l)|\n"
        "T1|destroy(l)|\n");
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

static void
loose_spelling_becomes_canonical (void **state)
{
  becomes ("# comment\n\n \t\n  # another\nT1|w(x)\nT1|w(x)|1", "T1|w(x)|\n"
                                                                "T1|w(x)|1\n");
  becomes ("T1|w(x)|1\r\n\r\nT1|r(x)|2\r\n", "T1|w(x)|1\nT1|r(x)|2\n");
  becomes ("\xef\xbb\xbfT1|w(x)|1\n", "T1|w(x)|1\n");
  becomes (" T1 | w ( x = 5 ) | f.c:3 \n", "T1|w(x=5)|f.c:3\n");
  becomes ("T1|wait( c , l )|\n", "T1|wait(c,l)|\n");
  becomes ("T1|acq(l , try)|\n", "T1|acq(l,try)|\n");
  becomes ("T1|fence()|\nT1|ar.sc(x)|\n", "T1|fence.sc()|\nT1|ar(x)|\n");
  becomes ("T1|rmw(x=:)|\n", "T1|rmw(x)|\n");
  becomes ("T1|w(x)|a|b\n", "T1|w(x)|a\\x7cb\n");
  becomes ("T1|rel(a,b)|\n", "T1|rel(a\\x2cb)|\n");
  becomes ("", "");
  becomes ("\n", "");
}

static void
names_of_functions_need_no_escapes (void **state)
{
  same ("T 1|enter(std::map<int, int>::at(int const&) const)|a b.c:3\n");
  same ("T 1|exit(operator() (int))|\nT 1|begin(if (x < y))|\n");
  same ("T1|r(V20ee188a[4])|0\nT1|w(V5478bbe6.202)|393\n");
  same ("T1|r(a,b)|\nT1|r(f(x))|\n");
}

static void
values_are_numbers_pointers_or_symbols (void **state)
{
  same ("T1|w(x=-9223372036854775808)|\nT1|w(x=9223372036854775807)|\n"
        "T1|w(x=9223372036854775808)|\nT1|w(x=18446744073709551615)|\n");
  becomes ("T1|w(x=0x1F)|\nT1|w(x=0xffffffffffffffff)|\n",
           "T1|w(x=31)|\nT1|w(x=18446744073709551615)|\n");
  same ("T1|w(x=red)|\nT1|w(x=1.5)|\n");
  same ("T1|w(x=007)|\nT1|w(x=-0)|\nT1|w(x=18446744073709551616)|\n"
        "T1|w(x=0x10000000000000000)|\nT1|w(x=-9223372036854775809)|\n");
  same ("T1|w(x=&p)|\nT1|w(x=&p+8)|\nT1|w(x=&x+4294967295)|\n");
  same ("T1|w(x=\\x35)|\nT1|w(x=\\x26p)|\nT1|w(x=&)|\nT1|w(x=-)|\n"
        "T1|w(x=a=b)|\n");
  same ("*|init(x=7)|\n*|init(y+4:2=&x)|\n*|init(z=red)|\nT1|r(x=7)|\n");
}

static void
values_have_their_kinds (void **state)
{
  const char *text = "T|w(x=5)|\nT|w(x=9223372036854775808)|\nT|w(x=-1)|\n"
                     "T|w(x=&y+3)|\nT|w(x=\\x35)|\nT|w(x)|\n";
  const int kinds[]
      = { OMEN_VALUE_INT,     OMEN_VALUE_BIG,    OMEN_VALUE_INT,
          OMEN_VALUE_POINTER, OMEN_VALUE_SYMBOL, OMEN_VALUE_NONE };
  const uint64_t values[] = { 5, 1ull << 63, UINT64_MAX, 1ull << 32 | 3, 0, 0 };
  omen_trace *trace = parse (text, strlen (text));
  for (int i = 0; i < 6; i++) {
    assert_int_equal (trace->events.data[i].value_kind, kinds[i]);
    assert_true (trace->events.data[i].value == values[i]);
  }
  omen_trace_free (trace);
}

/* As the last line, where the reader may not look ahead, and as the first. */
static void
one_value (const char *value, bool number, uint64_t want)
{
  char text[200];
  int length
      = snprintf (text, sizeof text, "T|w(x=%s)|\nT|w(x=%s)", value, value);
  char *exact = malloc ((size_t)length);
  omen_trace *trace;
  memcpy (exact, text, (size_t)length);
  trace = parse (exact, (size_t)length);
  for (int i = 0; i < 2; i++) {
    const omen_event *event = omen_trace_event (trace, (omen_eid)i);
    assert_int_equal (event->value_kind,
                      number ? OMEN_VALUE_INT : OMEN_VALUE_SYMBOL);
    assert_true (event->value == (number ? want : 0));
  }
  omen_trace_free (trace);
  free (exact);
}

static void
digits_of_any_number (void **state)
{
  char text[32];
  uint64_t n = 0;
  for (int digits = 1; digits <= 18; digits++) {
    n = 10 * n + (uint64_t)digits % 10;
    snprintf (text, sizeof text, "%llu", (unsigned long long)n);
    one_value (text, true, n);
    for (int i = 0; i < digits; i++)
      for (const char *c = "/:;@`a\xb1"; *c; c++) {
        char kept = text[i];
        text[i] = *c;
        one_value (text, false, 0);
        text[i] = kept;
      }
  }
  one_value ("0", true, 0);
  one_value ("99999999", true, 99999999);
  one_value ("100000000", true, 100000000);
}

static void
ranges_are_places (void **state)
{
  const char *text = "T|w(x+4:2=5)|\nT|w(x)|\nT|r(x+4:2)|\nT|r(x+5)|\n";
  omen_trace *trace = parse (text, strlen (text));
  assert_int_equal (trace->places.count, 3);
  assert_int_equal (trace->places.data[0].offset, 4);
  assert_int_equal (trace->places.data[0].size, 2);
  assert_int_equal (trace->places.data[1].size, OMEN_WHOLE);
  assert_int_equal (trace->events.data[2].object, 0);
  assert_string_equal (omen_trace_variable_name (trace, 1), "x+5");
  omen_trace_free (trace);
  becomes (text, "T|w(x+4:2=5)|\nT|w(x)|\nT|r(x+4:2)|\nT|r(x\\x2b5)|\n");
  same ("T|w(x+0:4294967293)|\n");
}

static void
blocks_of_a_name (void **state)
{
  const char *text = "T|alloc(p,8)|\nT|w(p=1)|\nT|free(p)|\nT|alloc(p,8)|\n"
                     "T|w(p=2)|\nT|w(q=&p~0+4)|\nT|w(q=&p)|\nT|r(p~0=1)|\n"
                     "T|r(p+0:4)|\nT|r(p~2)|\nT|r(p)|\nT|alloc(p~1,9)|\n";
  const omen_vid variables[] = { 0, 0, 0, 1, 1, 2, 2, 0, 1, 3, 3, 1 };
  omen_trace *trace = parse (text, strlen (text));
  for (int i = 0; i < 12; i++)
    assert_int_equal (trace->places.data[trace->events.data[i].object].variable,
                      variables[i]);
  assert_int_equal (trace->events.data[5].value, 4);
  assert_int_equal (trace->events.data[6].value, 1ull << 32);
  omen_trace_free (trace);
  same (text);
  same ("T|w(p+0:4)|\nT|alloc(p,8)|\nT|w(p+0:4)|\nT|w(p~0+0:4)|\n"
        "T|w(p+0:4)|\nT|r(p~0)|\nT|alloc(p,8)|\nT|r(p)|\nT|r(p~0)|\n");
  becomes ("T|w(\\x70)|\nT|alloc(p,8)|\nT|w(\\x70)|\n",
           "T|w(p)|\nT|alloc(p,8)|\nT|w(p)|\n");
  becomes ("T|w(p~0)|\nT|w(p~1)|\nT|w(\\x70)|\n",
           "T|w(p)|\nT|w(p~1)|\nT|w(p)|\n");
  same ("T|alloc(a\\x7e1,8)|\nT|alloc(a\\x7e1,8)|\nT|r(a\\x7e1~0)|\n");
}

static void
a_block_is_named_alone (void **state)
{
  const char *text = "T|alloc(p,8)|\nT|w(p=1)|\nT|alloc(p,8)|\nT|w(p=2)|a\n";
  omen_trace *trace = parse (text, strlen (text));
  omen_line line = { 0 };
  char buffer[64];
  omen_text_event (trace, 1, &line);
  OMEN_VEC_PUSH (line, 0);
  assert_string_equal (line.data, "T|w(p~0=1)|");
  omen_text_event (trace, 3, &line);
  OMEN_VEC_PUSH (line, 0);
  assert_string_equal (line.data, "T|w(p=2)|a");
  assert_int_equal (omen_text_operation (trace, 3, buffer, 64), 6);
  assert_string_equal (buffer, "w(p=2)");
  assert_int_equal (omen_text_operation (trace, 3, buffer, 4), 3);
  assert_string_equal (buffer, "w(p");
  OMEN_VEC_FINI (line);
  omen_trace_free (trace);
}

static void
numbered_forks_mean_threads_that_act (void **state)
{
  becomes ("T7|fork(9)|\nT9|w(x)|\nT7|join(9)|\n",
           "T7|fork(T9)|\nT9|w(x)|\nT7|join(T9)|\n");
  same ("T7|fork(9)|\n9|w(x)|\nT9|w(x)|\n");
  becomes ("T7|fork(9)|\nT7|w(x)|\n", "T7|fork(\\x39)|\nT7|w(x)|\n");
  same ("T7|fork(\\x39)|\nT9|w(x)|\n");
  becomes ("T7|fork(9)|\nT7|join(\\x39)|\nT9|w(x)|\n",
           "T7|fork(\\x39)|\nT7|join(\\x39)|\nT9|w(x)|\n");
  becomes ("T7|fork(8)|\nT7|fork(9)|\nT9|w(x)|\n8|w(x)|\n",
           "T7|fork(8)|\nT7|fork(T9)|\nT9|w(x)|\n8|w(x)|\n");
}

static void
threads_are_in_order_of_first_use (void **state)
{
  const char *text = "T7|fork(9)|\nT7|fork(8)|\nT8|w(x)|\nT9|w(x)|\n";
  omen_trace *trace = parse (text, strlen (text));
  assert_int_equal (trace->threads.count, 3);
  assert_string_equal (omen_trace_thread_name (trace, 1), "T9");
  assert_string_equal (omen_trace_thread_name (trace, 2), "T8");
  assert_int_equal (trace->threads.data[1].forked_by, 0);
  assert_int_equal (trace->threads.data[2].forked_by, 1);
  omen_trace_free (trace);
}

static void
dependences_stand_at_the_end (void **state)
{
  same ("T|r(x)|\nT|branch()|\nT|w(x)|f.c:3<-0^1\nT|w(x)|<-0,0\nT|w(x)|^1\n");
  becomes ("T|w(x)<-0,1^2|f.c\nT|w(x)^2\n", "T|w(x)|f.c<-0,1^2\nT|w(x)|^2\n");
  becomes ("T|w(x)<-0|a^2\n", "T|w(x)|a\\x5e2<-0\n");
  becomes ("T|w(x)<-0|a^2\nT|w(x)|a^2\n", "T|w(x)|a\\x5e2<-0\nT|w(x)|a^2\n");
  same ("T|w(x)|a<b^c<-\n");
  same ("T|w(x)|a\\x3c-1\n");
}

static void
dependences_are_kept (void **state)
{
  const char *text = "T|w(x)|f.c:3<-4,5^6\nT|w(x)|f.c:3\n";
  omen_trace *trace = parse (text, strlen (text));
  const omen_extra *extra = omen_trace_extra (trace, 0);
  assert_non_null (extra);
  assert_null (omen_trace_extra (trace, 1));
  assert_int_equal (trace->flags, OMEN_TRACE_DEPENDENCES);
  assert_int_equal (extra->reads, 2);
  assert_int_equal (trace->dependences.data[extra->first_read + 1], 5);
  assert_int_equal (extra->branch, 6);
  assert_string_equal (omen_trace_location (trace, 0), "f.c:3");
  assert_int_equal (trace->locations.count, 1);
  omen_trace_free (trace);
}

/* ---- any bytes in any name ---- */

static uint64_t seed;

static unsigned
below (unsigned limit)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)((seed >> 20) % limit);
}

/* Made of what means something to the reader. */
static size_t
nasty (char *text)
{
  static const char *const pieces[] = { "|",
                                        "(",
                                        ")",
                                        "=",
                                        ",",
                                        "+",
                                        "~",
                                        "^",
                                        "<-",
                                        "\\",
                                        "x",
                                        "0",
                                        "9",
                                        "T",
                                        "-",
                                        "&",
                                        "#",
                                        "*",
                                        "try",
                                        ":",
                                        " ",
                                        "a",
                                        "b",
                                        "\t",
                                        "\n",
                                        "\r",
                                        "\xff",
                                        "timeout",
                                        "spurious",
                                        "\\x41",
                                        "\xef\xbb\xbf",
                                        "\x7f" };
  size_t length = 0;
  for (unsigned n = below (4); n; n--) {
    const char *piece = pieces[below (OMEN_COUNT (pieces))];
    memcpy (text + length, piece, strlen (piece));
    length += strlen (piece);
    if (!below (20))
      text[length++] = 0;
  }
  return length;
}

static uint32_t
nasty_id (omen_names *names)
{
  char text[64];
  size_t length = nasty (text);
  return omen_names_id (names, text, length);
}

static omen_vid
nasty_variable (omen_trace *trace)
{
  omen_names *names = &trace->names[OMEN_OPERAND_VARIABLE];
  char text[64];
  if (names->count && below (2)) {
    omen_vid v = below (names->count);
    return below (2) ? v
                     : omen_names_again (names, names->names[v].text,
                                         names->names[v].length);
  }
  return omen_names_id (names, text, nasty (text));
}

static uint64_t
nasty_value (omen_trace *trace, uint8_t *kind)
{
  static const uint64_t ints[] = { 0, 5, UINT64_MAX, 1ull << 63 };
  *kind = (uint8_t)below (OMEN_VALUE_KINDS);
  switch (*kind) {
  case OMEN_VALUE_INT:
    return ints[below (4)];
  case OMEN_VALUE_BIG:
    return ints[2 + below (2)];
  case OMEN_VALUE_SYMBOL:
    return nasty_id (&trace->symbols);
  case OMEN_VALUE_POINTER:
    return (uint64_t)nasty_variable (trace) << 32 | below (3);
  default:
    return 0;
  }
}

static omen_pid
nasty_place (omen_trace *trace)
{
  omen_vid v = nasty_variable (trace);
  return below (2) ? omen_trace_place (trace, v, 0, OMEN_WHOLE)
                   : omen_trace_place (trace, v, below (9), 1 + below (8));
}

static void
nasty_access (omen_trace *trace, omen_event *event)
{
  omen_rmw rmw;
  event->object = nasty_place (trace);
  if (event->kind == OMEN_ATOMIC_RMW) {
    memset (&rmw, 0, sizeof rmw);
    for (int i = 0; i < 2; i++)
      rmw.value[i] = nasty_value (trace, &rmw.value_kind[i]);
    event->value = trace->rmws.count;
    OMEN_VEC_PUSH (trace->rmws, rmw);
  } else if (event->kind != OMEN_EXTERNAL)
    event->value = nasty_value (trace, &event->value_kind);
}

static void
nasty_emit (omen_trace *trace, omen_event *event)
{
  omen_emit emit = { (uint32_t)trace->emit_args.count, below (3) };
  event->object = nasty_id (&trace->names[OMEN_OPERAND_SIGNAL]);
  for (uint32_t i = 0; i < emit.count; i++) {
    omen_emit_arg arg = { 0 };
    arg.key = nasty_id (&trace->strings);
    do
      arg.value = nasty_value (trace, &arg.value_kind);
    while (!arg.value_kind);
    OMEN_VEC_PUSH (trace->emit_args, arg);
  }
  event->value = trace->emits.count;
  OMEN_VEC_PUSH (trace->emits, emit);
}

static void
nasty_condition (omen_trace *trace, omen_event *event)
{
  event->object = nasty_id (&trace->names[OMEN_OPERAND_CONDITION]);
  event->value = OMEN_NONE;
  if (event->kind != OMEN_WAIT && event->kind != OMEN_WAKE)
    return;
  if (below (2))
    event->value = nasty_id (&trace->names[OMEN_OPERAND_LOCK]);
  if (event->kind == OMEN_WAKE)
    event->mode = (uint8_t)(below (3) * OMEN_MODE_TIMEOUT);
}

static void
nasty_operand (omen_trace *trace, omen_event *event)
{
  omen_operand operand = omen_kind_operand (event->kind);
  char text[64];
  switch (operand) {
  case OMEN_OPERAND_NOTHING:
    event->object = OMEN_NONE;
    break;
  case OMEN_OPERAND_PLACE:
    nasty_access (trace, event);
    break;
  case OMEN_OPERAND_VARIABLE:
    event->object
        = omen_trace_place (trace, nasty_variable (trace), 0, OMEN_WHOLE);
    break;
  case OMEN_OPERAND_THREAD:
    event->object = omen_trace_thread (trace, text, nasty (text));
    break;
  case OMEN_OPERAND_CONDITION:
    nasty_condition (trace, event);
    break;
  case OMEN_OPERAND_SIGNAL:
    nasty_emit (trace, event);
    break;
  default:
    event->object = nasty_id (&trace->names[operand]);
  }
  if (event->kind == OMEN_ALLOC || event->kind == OMEN_SEM_INIT
      || event->kind == OMEN_ARRIVE)
    event->value = 1 + below (9);
  if (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE)
    event->mode = (uint8_t)below (2);
  if (operand == OMEN_OPERAND_OBJECT)
    event->mode = (uint8_t)(below (2) * OMEN_MODE_MAYBE);
  if (omen_kind_atomic (event->kind) || event->kind == OMEN_FENCE)
    event->order = (uint8_t)below (OMEN_ORDERS);
}

static void
nasty_event (omen_trace *trace)
{
  omen_event event;
  char text[64];
  memset (&event, 0, sizeof event);
  event.kind = (uint8_t)below (OMEN_KINDS);
  event.thread = omen_trace_thread (trace, text, nasty (text));
  nasty_operand (trace, &event);
  event.location = nasty_id (&trace->locations);
  if (!below (5)) {
    omen_extra extra
        = { (omen_eid)trace->events.count, 0, below (3), below (3), OMEN_NONE };
    if (extra.reads)
      extra.first_read = (uint32_t)trace->dependences.count;
    else
      extra.branch = 1;
    for (uint32_t i = 0; i < extra.reads; i++)
      OMEN_VEC_PUSH (trace->dependences, below (100));
    OMEN_VEC_PUSH (trace->extras, extra);
    event.mode |= OMEN_MODE_EXTRA;
    trace->flags |= OMEN_TRACE_DEPENDENCES;
  }
  omen_trace_add (trace, &event);
}

static void
any_name_comes_back (void **state)
{
  for (unsigned round = 1; round <= 3000; round++) {
    omen_trace *trace = omen_trace_new ("nasty"), *again;
    omen_err err = { 0 };
    char *written, *second;
    seed = round * 0x9e3779b97f4a7c15u;
    for (unsigned n = below (12); n; n--)
      nasty_event (trace);
    assert_true (omen_trace_seal (trace, &err));
    written = write_out (trace);
    again = parse (written, strlen (written));
    second = write_out (again);
    if (omen_trace_identity (trace) != omen_trace_identity (again)
        || strcmp (written, second))
      fail_msg ("round %u:\n%s\nbecame\n%s", round, written, second);
    free (written);
    free (second);
    omen_trace_free (trace);
    omen_trace_free (again);
  }
}

/* ---- what is refused ---- */

static void
refused (const char *text, size_t size, const char *where, const char *what)
{
  omen_err err = { 0 };
  assert_null (omen_text_parse ("t", text, size, &err));
  assert_true (err.set);
  if (strcmp (err.where, where) || !strstr (err.what, what))
    fail_msg ("'%s': %s: %s instead of %s: %s", text, err.where, err.what,
              where, what);
}

static void
errors_name_line_and_reason (void **state)
{
  static const struct {
    const char *text, *where, *what;
  } cases[] = {
    { "w(x)", "t:1", "expected thread|operation(...)|location, found 'w(x)'" },
    { "T|w(x)|\n\n# c\nT|w", "t:4", "expected operation(...), found 'w'" },
    { "T|w(x|f\n", "t:1", "expected ')', found 'x'" },
    { "|w(x)|\n", "t:1", "expected the name of a thread, found nothing" },
    { "T|frob(x)|\n", "t:1",
      "expected an operation such as w or acq, found "
      "'frob'" },
    { "T|(x)|\n", "t:1", "expected an operation" },
    { "T|w.rel(x)|\n", "t:1", "a memory order only with" },
    { "T|aw.foo(x)|\n", "t:1",
      "a memory order (sc rlx acq rel acqrel), "
      "found 'foo'" },
    { "T|w()|\n", "t:1", "the name of a variable, found nothing" },
    { "T|w(=5)|\n", "t:1", "the name of a variable, found nothing" },
    { "T|w(x=)|\n", "t:1", "a value after '=', found nothing" },
    { "T|rmw(x=5)|\n", "t:1", "old:new after '=', found '5'" },
    { "T|ext(x=5)|\n", "t:1", "no value for ext, found '5'" },
    { "T|w(x+0:0)|\n", "t:1", "one byte or more, below 4 GB" },
    { "T|w(x+4294967295:1)|\n", "t:1", "one byte or more, below 4 GB" },
    { "T|w(x=&p+4294967296)|\n", "t:1", "an offset below 2^32" },
    { "T|free(x+0:4)|\n", "t:1", "a whole variable, found 'x+0:4'" },
    { "T|w(x=&x+0:4)|\n", "t:1", "a whole variable" },
    { "T|w(p~1)|\n", "t:1", "a block of that name" },
    { "T|w(p)|\nT|w(p~2)|\n", "t:2", "a block of that name" },
    { "T|w(p~99999999999)|\n", "t:1", "a block number" },
    { "T|acq()|\n", "t:1", "the name of a lock, found nothing" },
    { "T|fork()|\n", "t:1", "the name of a thread, found nothing" },
    { "T|wait()|\n", "t:1", "the name of a condition variable" },
    { "T|wait(c,)|\n", "t:1", "the name of a lock" },
    { "T|wait(c,l,m)|\n", "t:1", "one lock only, found 'm'" },
    { "T|wake(c,l,late)|\n", "t:1", "timeout or spurious, found 'late'" },
    { "T|wake(c,timeout,l)|\n", "t:1", "nothing after timeout or spurious" },
    { "T|notify(c,l)|\n", "t:1", "one name only, found 'l'" },
    { "T|seminit(s)|\n", "t:1", "a name and a count" },
    { "T|seminit(s,-1)|\n", "t:1", "a name and a count" },
    { "T|seminit(s,4294967296)|\n", "t:1", "a name and a count" },
    { "T|arrive(b,0)|\n", "t:1", "a name and a count" },
    { "T|alloc(p)|\n", "t:1", "a name and a size" },
    { "T|alloc(p,x)|\n", "t:1", "a name and a size" },
    { "T|alloc(,8)|\n", "t:1", "the name of a variable" },
    { "T|branch(x)|\n", "t:1", "nothing between ( and ), found 'x'" },
    { "T|emit()|\n", "t:1", "the name of a property event" },
    { "T|emit(e,p)|\n", "t:1", "parameter=value" },
    { "T|emit(e,=5)|\n", "t:1", "parameter=value" },
    { "T|emit(e,p=)|\n", "t:1", "a value after '='" },
    { "T|w(x) y|\n", "t:1", "'|' or dependences after ')', found 'y'" },
    { "T|w(x)<-|\n", "t:1", "'|' or dependences after ')', found '<-'" },
    { "T|w(x)|a<-0,\n", "t:1", "indices of reads" },
    { "T|w(x)|a<-0,b\n", "t:1", "indices of reads" },
    { "T|w(x)|<-4294967295\n", "t:1", "indices of reads" },
    { "T|w(x)|^4294967295\n", "t:1", "an index below 2^32 - 1" },
    { "*|w(x)|\n", "t:1", "init after '*|', found 'w'" },
    { "T|init(x=7)|\n", "t:1", "an operation such as w or acq" },
    { "T|w(x)|\n*|init(x=7)|\n", "t:2", "init lines before the first event" },
    { "*|init(x)|\n", "t:1", "a value after '='" },
    { "*|init(x=7)<-1|\n", "t:1", "'|' after ')'" },
    { "T|w(\x01)|\n", "t:1",
      "a control byte is written as \\xHH), found "
      "'\\x01'" },
    { "T|w(x)|a\rb\n", "t:1", "found '\\x0d'" },
  };
  for (size_t i = 0; i < OMEN_COUNT (cases); i++)
    refused (cases[i].text, strlen (cases[i].text), cases[i].where,
             cases[i].what);
  refused ("T|w(x\0)|\n", 9, "t:1", "found '\\x00'");
  refused ("\0\0\0\0", 4, "t:1", "found '\\x00\\x00\\x00\\x00'");
}

static void
the_first_error_counts (void **state)
{
  char text[1000] = "";
  for (int i = 0; i < 20; i++)
    strcat (text, "T|w(x)|f.c:3\n");
  strcat (text, "T|w(x=)|\nnothing\n");
  refused (text, strlen (text), "t:21", "a value after '='");
}

static void
long_text_is_cut_in_messages (void **state)
{
  size_t size = 1 << 20;
  char *text = malloc (size);
  omen_err err = { 0 };
  memset (text, 'a', size);
  assert_null (omen_text_parse ("t", text, size, &err));
  assert_true (strlen (err.what) < 200 && strstr (err.what, "aaa..."));
  free (text);
}

static void
long_and_many_names (void **state)
{
  omen_line text = { 0 };
  char line[400];
  omen_trace *trace;
  char *written;
  unsigned count = OMEN_HARD_OR (300, 20000);
  for (unsigned i = 0; i < count; i++) {
    int length = snprintf (line, sizeof line, "T%u|w(%0*u=%u)|%0*u.c\n", i % 50,
                           1 + i % 40, i % (count / 2), i, 1 + i % 300, i);
    for (int k = 0; k < length; k++)
      OMEN_VEC_PUSH (text, line[k]);
  }
  OMEN_VEC_PUSH (text, 0);
  trace = parse (text.data, text.count - 1);
  assert_int_equal (trace->events.count, count);
  written = write_out (trace);
  assert_string_equal (written, text.data);
  free (written);
  omen_trace_free (trace);
  OMEN_VEC_FINI (text);
}

static void
long_names_that_differ_inside (void **state)
{
  same ("T|w(a_long_name_that_ends_like_the_other=1)|\n"
        "T|w(a_long_name_which_ends_like_the_other=1)|\n"
        "T|w(a_long_mane_that_ends_like_the_other=1)|\n"
        "T|w(a_long_name_that_ends_like_the_other=2)|\n");
}

UNIT_MAIN (UNIT (every_kind_comes_back),
           UNIT (loose_spelling_becomes_canonical),
           UNIT (names_of_functions_need_no_escapes),
           UNIT (values_are_numbers_pointers_or_symbols),
           UNIT (values_have_their_kinds), UNIT (digits_of_any_number),
           UNIT (ranges_are_places), UNIT (blocks_of_a_name),
           UNIT (a_block_is_named_alone),
           UNIT (numbered_forks_mean_threads_that_act),
           UNIT (threads_are_in_order_of_first_use),
           UNIT (dependences_stand_at_the_end), UNIT (dependences_are_kept),
           UNIT (any_name_comes_back), UNIT (errors_name_line_and_reason),
           UNIT (the_first_error_counts), UNIT (long_text_is_cut_in_messages),
           UNIT (long_names_that_differ_inside), UNIT (long_and_many_names))
