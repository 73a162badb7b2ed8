/* trace: RoadRunner logs. */
#include "imported.h"

#include "io/roadrunner.h"

#define RR omen_roadrunner_parse

static void
accesses_keep_their_locations (void **state)
{
  imports (RR,
           "@  Start(0,2)\n"
           "@    Rd(2,null.test/Deadlock.value_I)  Final  Deadlock.java:50:7\n"
           "@    AWr(2,@03[5])  [a b]  Deadlock.java:51:7\n"
           "@ Wr(2,@03.x_I)  Deadlock.java:52:1\n"
           "@ Wr(2,@03.y_I)  Final\n"
           "@ VRd(0,@03.v_Z)  Volatile\n"
           "@ VolWr(0,@03.v_Z)  Volatile  D.java:1:1\n",
           "T0|fork(T2)|\n"
           "T2|r(null.test/Deadlock.value_I)|Deadlock.java:50:7\n"
           "T2|w(@03[5])|Deadlock.java:51:7\n"
           "T2|w(@03.x_I)|Deadlock.java:52:1\n"
           "T2|w(@03.y_I)|\n"
           "T0|ar(@03.v_Z)|\n"
           "T0|aw(@03.v_Z)|D.java:1:1\n");
}

static void
methods_have_parentheses (void **state)
{
  imports (RR,
           "@  Enter(0,test/Test.main([Ljava/lang/String;)V) from null\n"
           "@  Enter(0,A.b()V) from Test.java:7:3\n@   Exit(0,A.b()V)\n",
           "T0|enter(test/Test.main([Ljava/lang/String;)V)|\n"
           "T0|enter(A.b()V)|Test.java:7:3\nT0|exit(A.b()V)|\n");
}

static void
locks_and_their_depth (void **state)
{
  const char *text = "@  Acquire(1,@03)\n@  Acq(1,@03)\n@  Rel(1,@03)\n"
                     "@  Release(1,@03)\n";
  imports (RR, text, "T1|acq(@03)|\nT1|rel(@03)|\n");
  warns (RR, text, 0, "1 re-entrant acquire dropped");
}

static void
start_and_join_are_printed_twice (void **state)
{
  imports (RR,
           "@ Start(0,1)\n@ Wr(1,x)\n@ Start(0,1)\n@ Join(0,1)\n@ Rd(1,x)\n"
           "@ Join(0,1)\n@ Rd(0,x)\n",
           "T0|fork(T1)|\nT1|w(x)|\nT1|r(x)|\nT0|join(T1)|\nT0|r(x)|\n");
  imports (RR, "@ Start(0,1)\n@ Wr(1,x)\n@ Join(0,1)\n@ Rd(2,x)\n@ Rd(0,x)\n",
           "T0|fork(T1)|\nT1|w(x)|\nT2|r(x)|\nT0|join(T1)|\nT0|r(x)|\n");
  imports (RR, "@ Start(0,1)\n@ Join(0,1)\n", "T0|fork(T1)|\nT0|join(T1)|\n");
  warns (RR, "@ Join(0,-1)\n", 0,
         "1 join of a thread that the log does not name skipped");
}

static void
numbers_are_used_again (void **state)
{
  imports (RR,
           "@ Start(0,1)\n@ Wr(1,x)\n@ Join(0,1)\n@ Start(0,1)\n@ Wr(1,x)\n",
           "T0|fork(T1)|\nT1|w(x)|\nT0|join(T1)|\nT0|fork(T1#2)|\n"
           "T1#2|w(x)|\n");
  imports (RR,
           "@ a[tid = 1] started by main[tid = 0].\n@ Start(0,1)\n@ Wr(1,x)\n"
           "@ b[tid = 1] started by main[tid = 0].\n@ Start(0,1)\n@ Wr(1,x)\n",
           "T0|fork(T1)|\nT1|w(x)|\nT0|fork(T1#2)|\nT1#2|w(x)|\n");
}

static void
waits_have_two_halves (void **state)
{
  imports (RR,
           "@ Acquire(1,l)\n@ Wait(1,l)\n@ Acquire(2,l)\n"
           "@ Notify(2,l,false)\n@ Notify(2,l,false)\n@ Release(2,l)\n"
           "@ Wait(1,l)\n@ Release(1,l)\n",
           "T1|acq(l)|\nT1|wait(l,l)|\nT2|acq(l)|\nT2|notify(l)|\n"
           "T2|rel(l)|\nT1|wake(l,l)|\nT1|rel(l)|\n");
  imports (RR,
           "@ Acquire(1,l)\n@ PreWait(1,l)\n@ Notify(2,l,true)\n"
           "@ PostWait(1,l)\n",
           "T1|acq(l)|\nT1|wait(l,l)|\nT2|notifyall(l)|\nT1|wake(l,l)|\n");
}

static void
a_return_that_the_log_lacks (void **state)
{
  const char *text = "@ Acquire(1,l)\n@ Wait(1,l)\n@ Notify(2,l)\n"
                     "@ Rd(1,x)\n";
  imports (RR, text,
           "T1|acq(l)|\nT1|wait(l,l)|\nT2|notify(l)|\nT1|wake(l,l)|\n"
           "T1|r(x)|\n");
  warns (RR, text, 0,
         "return of 1 wait placed where the thread continues: the log does not "
         "say when");
}

/* One notify, two wakes: the second is spurious. */
static void
wakes_use_notifies_up (void **state)
{
  const char *text
      = "@ Acquire(1,l)\n@ Wait(1,l)\n@ Acquire(2,l)\n@ Wait(2,l)\n"
        "@ Notify(3,l,false)\n@ Wait(2,l)\n@ Release(2,l)\n@ Wait(1,l)\n";
  imports (RR, text,
           "T1|acq(l)|\nT1|wait(l,l)|\nT2|acq(l)|\nT2|wait(l,l)|\n"
           "T3|notify(l)|\nT2|wake(l,l)|\nT2|rel(l)|\n"
           "T1|wake(l,l,spurious)|\n");
  warns (RR, text, 0, "1 wake that no notify explains taken as spurious");
}

/* What was said before the wait does not end it. */
static void
only_later_notifies_count (void **state)
{
  imports (RR, "@ Notify(2,l,true)\n@ Acquire(1,l)\n@ Wait(1,l)\n@ Wait(1,l)\n",
           "T2|notifyall(l)|\nT1|acq(l)|\nT1|wait(l,l)|\n"
           "T1|wake(l,l,spurious)|\n");
  imports (RR,
           "@ Notify(2,l,false)\n@ Acquire(1,l)\n@ Wait(1,l)\n"
           "@ Wait(1,l)\n",
           "T2|notify(l)|\nT1|acq(l)|\nT1|wait(l,l)|\n"
           "T1|wake(l,l,spurious)|\n");
}

static void
barriers_count_who_came (void **state)
{
  imports (RR,
           "@ Barrier(1,b,Enter)\n@ Barrier(2,b,Enter)\n@ Barrier(2,b,Exit)\n"
           "@ Barrier(2,b,Enter)\n@ Barrier(1,b,Exit)\n",
           "T1|arrive(b,2)|\nT2|arrive(b,2)|\nT2|depart(b)|\n"
           "T2|arrive(b,2)|\nT1|depart(b)|\n");
  imports (RR, "@ Barrier(1,b,Enter)\n", "T1|arrive(b,2)|\n");
}

static void
edges_of_java (void **state)
{
  imports (RR,
           "@ ClassInited(0,A)\n@ ClassAccssed(1,A)\n@ Interrupt(0,1)\n"
           "@ Interrupted(1)\n",
           "T0|hb(A)|\nT1|ha(A)|\nT0|hb(interrupt of T1)|\n"
           "T1|ha(interrupt of T1)|\n");
}

static void
values_if_the_order_explains_them (void **state)
{
  const char *text = "@ Rd(1,x)[7]  F  a:1\n@ Wr(1,x)[7 -> 8]  F  a:2\n"
                     "@ Rd(2,x)[8]  F  a:3\n@ Rd(2,x)[9]  F  a:4\n"
                     "@ Wr(1,s)[ -> a b]  F  a:5\n@ Rd(1,s)[a b]  F  a:6\n"
                     "@ Wr(1,x)[-1 -> -2]  F  a:7\n";
  imports (RR, text,
           "T1|r(x=7)|a:1\nT1|w(x=8)|a:2\nT2|r(x=8)|a:3\nT2|r(x)|a:4\n"
           "T1|w(s=a b)|a:5\nT1|r(s=a b)|a:6\nT1|w(x=-2)|a:7\n");
  warns (RR, text, 0, "1 value of reads dropped: not what was written last");
  imports (RR, "@ Rd(1,x)[7]  F  a:1\n@ Rd(1,x)[8]  F  a:2\n",
           "T1|r(x=7)|a:1\nT1|r(x)|a:2\n");
}

static void
other_lines_are_counted (void **state)
{
  const char *text
      = "[main: RoadRunner Agent Loaded.]\n\n@  main[tid = 0] started .\n"
        "@ Xyz(0,x)\n@ pre  sleep\n@ Sleep(0)\n@ Abc(1)\n@ Xyz(1,y)\n"
        "@ Wr(0,x)\n";
  imports (RR, text, "T0|w(x)|\n");
  warns (RR, text, 0, "4 lines without an event skipped");
  warns (RR, text, 1, "2 lines with the unknown operation Xyz skipped");
  warns (RR, text, 2, "1 line with the unknown operation Abc skipped");
  warns (RR, text, 3, "");
}

static void
bad_lines_have_a_place_and_a_reason (void **state)
{
  refuses (RR, "@ Wr(0,x)\n@  Rd(1,x\n", "t:2:6", "expected ')'");
  refuses (RR, "@ Rd(one,x)\n", "t:1:6", "the number of a thread");
  refuses (RR, "@ Rd(1,)\n", "t:1:8", "an operand after the thread");
  refuses (RR, "@ Rd(1)\n", "t:1:8", "an operand after the thread");
  refuses (RR, "@ Start(1,x)\n", "t:1:11", "the number of a thread");
  refuses (RR, "@ Notify(1,l,maybe)\n", "t:1:14", "true or false");
  refuses (RR, "@ Barrier(1,b)\n", "t:1:15", "Enter or Exit");
  refuses (RR, "@ PostWait(1,l)\n", "t:1:3", "a wait of the thread");
  refuses (RR, "@ Rd(1,a\x02)\n", "t:1:9", "control bytes");
}

static void
the_last_line_may_be_cut (void **state)
{
  imports (RR, "@ Wr(0,x)\n@ Rd(0,", "T0|w(x)|\n");
  warns (RR, "@ Wr(0,x)\n@ Rd(0,", 0, "the last line is cut short; skipped");
}

UNIT_MAIN (UNIT (accesses_keep_their_locations),
           UNIT (methods_have_parentheses), UNIT (locks_and_their_depth),
           UNIT (start_and_join_are_printed_twice),
           UNIT (numbers_are_used_again), UNIT (waits_have_two_halves),
           UNIT (a_return_that_the_log_lacks), UNIT (wakes_use_notifies_up),
           UNIT (only_later_notifies_count), UNIT (barriers_count_who_came),
           UNIT (edges_of_java), UNIT (values_if_the_order_explains_them),
           UNIT (other_lines_are_counted),
           UNIT (bad_lines_have_a_place_and_a_reason),
           UNIT (the_last_line_may_be_cut))
