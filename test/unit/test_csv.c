/* trace: RAPID's CSV form. */
#include "imported.h"

#include "io/csv.h"

static void
the_example_of_its_makers (void **state)
{
  imports (omen_csv_parse,
           "r(V123),,\n,w(V234.23[0]),\nfork(T2),,\n,,acq(L34)\n,,rel(L34)\n"
           "join(T2),,\n",
           "T0|r(V123)|1\nT1|w(V234.23[0])|2\nT0|fork(T2)|3\nT2|acq(L34)|4\n"
           "T2|rel(L34)|5\nT0|join(T2)|6\n");
}

static void
sync_is_four_events (void **state)
{
  imports (omen_csv_parse, ",,,,sync(z),,\n",
           "T4|acq(z)|1\nT4|r(zVar)|1\nT4|w(zVar)|1\nT4|rel(z)|1\n");
  imports (omen_csv_parse, "acq(z)\nsync(z)\nrel(z)\n",
           "T0|acq(z)|1\nT0|r(zVar)|2\nT0|w(zVar)|2\nT0|rel(z)|3\n");
}

static void
every_operation (void **state)
{
  imports (omen_csv_parse,
           "start(1)\n,begin(A)\n,enter(f())\n,exit(f())\n,end(A)\njoin(1)\n",
           "T0|fork(T1)|1\nT1|begin(A)|2\nT1|enter(f())|3\nT1|exit(f())|4\n"
           "T1|end(A)|5\nT0|join(T1)|6\n");
}

static void
a_first_line_may_name_threads (void **state)
{
  imports (omen_csv_parse, "# made by hand\nmain,w1\nfork(w1),\n,w(x)\n",
           "main|fork(w1)|3\nw1|w(x)|4\n");
  imports (omen_csv_parse, "T3,T9\nfork(9),\n,w(x)\n",
           "T3|fork(T9)|2\nT9|w(x)|3\n");
  imports (omen_csv_parse, "T9,9\nfork(9),\n,w(x)\n",
           "T9|fork(9)|2\n9|w(x)|3\n");
}

static void
blanks_quotes_and_line_ends_do_not_count (void **state)
{
  imports (omen_csv_parse,
           "\xef\xbb\xbf r( x ) , \r\n\r\n,,\n,\" w(x) \"\r\n# no\n,\"\"",
           "T0|r(x)|1\nT1|w(x)|4\n");
  imports (omen_csv_parse, "", "");
  imports (omen_csv_parse, "\n,,\n", "");
}

/* Operands are names, whatever they hold. */
static void
operands_mean_nothing (void **state)
{
  imports (omen_csv_parse, "w(x=5)\nr(p+4:2)\nacq(a|b)\n",
           "T0|w(x\\x3d5)|1\nT0|r(p\\x2b4:2)|2\nT0|acq(a\\x7cb)|3\n");
}

static void
reentrant_acquires_are_dropped (void **state)
{
  const char *text = "acq(l)\nacq(l)\n,acq(m)\nrel(l)\nw(x)\nrel(l)\n"
                     "acq(l)\nrel(l)\n,rel(m)\n,rel(m)\n";
  imports (omen_csv_parse, text,
           "T0|acq(l)|1\nT1|acq(m)|3\nT0|w(x)|5\nT0|rel(l)|6\nT0|acq(l)|7\n"
           "T0|rel(l)|8\nT1|rel(m)|9\nT1|rel(m)|10\n");
  warns (omen_csv_parse, text, 0, "1 re-entrant acquire dropped");
  warns (omen_csv_parse, "acq(l)\nrel(l)\n", 0, "");
}

static void
bad_lines_have_a_place_and_a_reason (void **state)
{
  refuses (omen_csv_parse, "r(x),\n,w(x\n", "t:2:2",
           "expected operation(name), found 'w(x'");
  refuses (omen_csv_parse, "r(x),\n..rel(x)\n", "t:2:1", "r, w, acq");
  refuses (omen_csv_parse, "r(x),w(y)\n", "t:1:6", "one event a line");
  refuses (omen_csv_parse, "r(x)\nr()\n", "t:2:3", "found nothing");
  refuses (omen_csv_parse, "r(x)\nfoo(x)\n", "t:2:1", "found 'foo'");
  refuses (omen_csv_parse, "a,b\n,,r(x)\n", "t:2:3", "the first line names");
  refuses (omen_csv_parse, "a,a\n", "t:1:3", "no other column");
  refuses (omen_csv_parse, "a,,b\n", "t:1:3", "the name of a thread");
  refuses (omen_csv_parse, "r(a\x01)\n", "t:1:4", "found '\\x01'");
}

UNIT_MAIN (UNIT (the_example_of_its_makers), UNIT (sync_is_four_events),
           UNIT (every_operation), UNIT (a_first_line_may_name_threads),
           UNIT (blanks_quotes_and_line_ends_do_not_count),
           UNIT (operands_mean_nothing), UNIT (reentrant_acquires_are_dropped),
           UNIT (bad_lines_have_a_place_and_a_reason))
