/* model: each table, on traces worked by hand. */
#include "unit.h"
#include "modelled.h"

#include <stdio.h>

/* "a<b c<d": pairs in must-before, and that the reverse is not. */
static void
orders (const char *words, const char *pairs)
{
  modelled f = modelled_init (words);
  unsigned a, b;
  int n;
  for (const char *p = pairs; sscanf (p, " %u<%u%n", &a, &b, &n) == 2; p += n) {
    if (!omen_model_must_before (f.m, a, b))
      fail_msg ("%u must come before %u in %s", a, b, words);
    assert_false (omen_model_must_before (f.m, b, a));
  }
  modelled_fini (&f);
}

static void
leaves_open (const char *words, const char *pairs)
{
  modelled f = modelled_init (words);
  unsigned a, b;
  int n;
  for (const char *p = pairs; sscanf (p, " %u,%u%n", &a, &b, &n) == 2; p += n) {
    assert_false (omen_model_must_before (f.m, a, b));
    assert_false (omen_model_must_before (f.m, b, a));
  }
  modelled_fini (&f);
}

static void
list_is (const omen_eid *list, uint32_t first, uint32_t end, const char *want)
{
  char got[256] = "";
  for (uint32_t i = first; i < end; i++)
    snprintf (got + strlen (got), sizeof got - strlen (got), "%s%u",
              i > first ? " " : "", list[i]);
  assert_string_equal (got, want);
}

/* ---- memory ---- */

static void
reads_see_writes (void **state)
{
  modelled f
      = modelled_init ("T1|r(x=0) T1|w(x=5) T2|r(x=5) T2|w(x=6) T1|r(x=6) "
                       "T1|w(y) T2|r(y)");
  const omen_model *m = f.m;
  assert_int_equal (m->atom_count, 2);
  assert_int_equal (m->from[m->at[0]], OMEN_NONE);
  assert_int_equal (m->from[m->at[2]], 1);
  assert_int_equal (m->from[m->at[4]], 3);
  assert_int_equal (m->from[m->at[6]], 5);
  assert_int_equal (m->value[m->at[6]], OMEN_NONE);
  list_is (m->accesses, m->atoms[0].first, m->atoms[1].first, "0 1 2 3 4");
  list_is (m->accesses, m->atoms[1].first, m->atoms[2].first, "5 6");
  assert_int_equal (m->rank[m->at[3]], 3);
  /* the initial value is what the first read saw */
  assert_int_equal (m->atoms[0].initial, m->value[m->at[0]]);
  assert_int_equal (m->atoms[1].initial, OMEN_NONE);
  modelled_fini (&f);
}

static void
equal_values_have_equal_ids (void **state)
{
  modelled f
      = modelled_init ("T1|w(x=7) T1|w(x=red) T1|w(x=-7) T2|w(x=7) T2|w(x=red) "
                       "T2|w(x=&y+8) T1|w(x=&y+8) T2|w(x=18446744073709551609) "
                       "T1|w(x) T1|w(x=1000000000000)");
  const omen_model *m = f.m;
  const uint32_t *v = m->value;
  assert_int_equal (v[0], v[3]);
  assert_int_equal (v[1], v[4]);
  assert_int_equal (v[5], v[6]);
  assert_int_equal (v[2], v[7]); /* the same 64 bits */
  assert_int_not_equal (v[0], v[1]);
  assert_int_not_equal (v[0], v[2]);
  assert_int_not_equal (v[1], v[5]);
  assert_int_equal (v[8], OMEN_NONE);
  assert_true (omen_value_comparable (v[0], v[5]));
  assert_false (omen_value_comparable (v[0], v[8]));
  modelled_fini (&f);
}

static void
ranges_are_cut_into_atoms (void **state)
{
  modelled f
      = modelled_init ("T1|w(x+0:8=258) T2|w(x+4:2=3) T1|r(x+0:8=12884902146) "
                       "T2|r(x+0:4=258) T1|w(y) T2|w(y+2:2) T1|r(y)");
  const omen_model *m = f.m;
  assert_int_equal (omen_model_atoms (m, 0).count, 3);
  assert_int_equal (omen_model_atoms (m, 1).count, 1);
  assert_int_equal (omen_model_atoms (m, 1).first, 1);
  assert_int_equal (m->from[omen_model_read_slot (m, 2, 0)], 0);
  assert_int_equal (m->from[omen_model_read_slot (m, 2, 1)], 1);
  assert_int_equal (m->from[omen_model_read_slot (m, 2, 2)], 0);
  assert_true (omen_model_same_value (m, 2, 1, 1));
  assert_false (omen_model_same_value (m, 2, 0, 1));
  assert_int_equal (m->from[omen_model_read_slot (m, 3, 0)], 0);
  /* before, at and after the range */
  assert_int_equal (omen_model_atoms (m, 4).first, 3);
  assert_int_equal (omen_model_atoms (m, 4).count, 3);
  assert_int_equal (m->from[omen_model_read_slot (m, 6, 3)], 4);
  assert_int_equal (m->from[omen_model_read_slot (m, 6, 4)], 5);
  assert_int_equal (m->from[omen_model_read_slot (m, 6, 5)], 4);
  modelled_fini (&f);
}

static void
tokens_and_wholes_compare_by_class (void **state)
{
  modelled f
      = modelled_init ("T1|w(x+0:8=red) T2|r(x+4:4) T1|w(x=5) T2|r(x+0:4=5) "
                       "T1|w(x+0:8=red)");
  const omen_model *m = f.m;
  /* the whole 5 and the bytes 5 are not comparable: only the write counts */
  assert_true (omen_model_same_value (m, 3, 2, 0));
  assert_false (omen_model_same_value (m, 3, 0, 0));
  assert_int_equal (omen_model_written (m, 0, 0), omen_model_written (m, 4, 0));
  /* parts of one token differ */
  assert_int_not_equal (omen_model_written (m, 0, 0) == m->value[m->at[0] + 1],
                        true);
  modelled_fini (&f);
}

static void
an_rmw_reads_then_writes (void **state)
{
  modelled f
      = modelled_init ("*|init(x=1)| T1|rmw(x=1:2) T2|rmw(x=2:1) T2|r(x=1)");
  const omen_model *m = f.m;
  const omen_cell *cell = m->cells;
  assert_int_equal (m->slot_count, 5);
  assert_int_equal (m->from[omen_model_read_slot (m, 0, 0)], OMEN_NONE);
  assert_int_equal (m->from[omen_model_read_slot (m, 1, 0)], 0);
  assert_true (omen_model_same_value (m, 2, OMEN_NONE, 0));
  assert_true (omen_model_same_value (m, 2, 1, 0));
  assert_false (omen_model_same_value (m, 2, 0, 0));
  assert_false (omen_model_same_write (m, 2, OMEN_NONE, 0));
  list_is (m->accesses, 0, 3, "0 1 2");
  list_is (m->members, cell[0].first_write, cell[0].first_read, "0");
  list_is (m->members, cell[0].first_read, cell[1].first_write, "0");
  list_is (m->members, cell[1].first_write, cell[1].first_read, "1");
  list_is (m->members, cell[1].first_read, cell[2].first_write, "1 2");
  modelled_fini (&f);
}

static void
cells_list_each_thread (void **state)
{
  modelled f = modelled_init (
      "T2|w(x) T1|r(x) T2|r(x) T2|w(x) T1|w(y) T1|r(x) T3|r(y)");
  const omen_model *m = f.m;
  uint32_t c = omen_model_cell (m, 0, 0);
  assert_string_equal (omen_trace_thread_name (f.trace, 0), "T2");
  list_is (m->members, m->cells[c].first_write, m->cells[c].first_read, "0 3");
  list_is (m->members, m->cells[c].first_read, m->cells[c + 1].first_write,
           "2");
  c = omen_model_cell (m, 0, 1);
  list_is (m->members, m->cells[c].first_read, m->cells[c + 1].first_write,
           "1 5");
  assert_int_equal (
      omen_model_count_below (m->members + m->cells[c].first_read, 2, 5), 1);
  assert_int_equal (omen_model_cell (m, 0, 2), OMEN_NONE);
  assert_int_equal (omen_model_cell (m, 1, 0), OMEN_NONE);
  modelled_fini (&f);
}

static void
a_name_in_use_is_allocated_anew (void **state)
{
  modelled f
      = modelled_init ("T1|alloc(p,8) T1|w(p=1) T1|free(p) T1|alloc(p,8) "
                       "T2|r(p)");
  const omen_model *m = f.m;
  assert_int_equal (m->atom_count, 2);
  assert_int_equal (m->alloc_of[0], 0);
  assert_int_equal (m->alloc_of[1], 3);
  assert_int_equal (m->from[m->at[4]], 3);
  assert_int_equal (m->value[m->at[3]], OMEN_NONE);
  list_is (m->accesses, m->atoms[0].first, m->atoms[1].first, "0 1 2");
  modelled_fini (&f);
}

/* ---- locks ---- */

static void
sections_are_found (void **state)
{
  modelled f = modelled_init (
      "T1|acq(l) T1|acq(k) T1|w(x) T1|rel(l) T1|w(x) T1|rel(k) "
      "T2|racq(l) T3|racq(l) T2|acq(k)");
  const omen_model *m = f.m;
  const omen_section *s = m->sections;
  assert_int_equal (m->section_count, 5);
  assert_int_equal (m->lock_sections[1], 3);
  assert_int_equal (s[0].acquire, 0);
  assert_int_equal (s[0].release, 3);
  assert_int_equal (s[0].mode, OMEN_LOCK_WRITE);
  assert_int_equal (s[1].acquire, 6);
  assert_int_equal (s[1].mode, OMEN_LOCK_READ);
  assert_int_equal (s[1].release, OMEN_NONE);
  assert_int_equal (s[2].thread, 2);
  assert_int_equal (s[3].acquire, 1);
  assert_int_equal (s[3].release, 5);
  assert_int_equal (s[4].acquire, 8);
  assert_int_equal (m->at[5], 3);
  assert_int_equal (omen_model_holds (m, 2, 0), 0);
  assert_int_equal (omen_model_holds (m, 2, 1), 3);
  assert_int_equal (omen_model_holds (m, 4, 0), OMEN_NONE);
  assert_int_equal (omen_model_holds (m, 4, 1), 3);
  assert_int_equal (omen_model_holds (m, 8, 0), 1);
  assert_int_equal (
      m->sets[m->end_set[1] + 1].first - m->sets[m->end_set[1]].first, 2);
  /* the cells of l: T1, T2, T3, one section each */
  assert_int_equal (m->lock_cells_first[1], 3);
  assert_int_equal (m->lock_members[m->lock_cells[1].first], 1);
  modelled_fini (&f);
}

static void
nested_operations_count_depth_only (void **state)
{
  modelled f = modelled_init (
      "T1|acq(l) T1|acq(l) T1|rel(l) T1|w(x) T1|rel(l) T1|w(x)");
  const omen_model *m = f.m;
  assert_int_equal (m->section_count, 1);
  assert_int_equal (m->sections[0].release, 4);
  assert_int_equal (m->at[1], OMEN_NONE);
  assert_int_equal (m->at[2], OMEN_NONE);
  assert_int_equal (omen_model_holds (m, 3, 0), 0);
  assert_int_equal (m->set_of[5], 0);
  assert_int_equal (m->misuse_count, 1);
  assert_int_equal (m->misuses[0].event, 1);
  assert_int_equal (m->misuses[0].word, OMEN_WORD_TAKEN_TWICE);
  modelled_fini (&f);
}

static void
sets_exclude_by_mode (void **state)
{
  modelled f = modelled_init (
      "T1|racq(l) T1|w(x) T2|racq(l) T2|w(x) T1|rrel(l) "
      "T2|rrel(l) T3|acq(k) T3|acq(l) T3|w(x) T3|rel(k) T3|w(x) "
      "T3|rel(l) T1|racq(l) T1|w(x)");
  const omen_model *m = f.m;
  const uint32_t *s = m->set_of;
  assert_false (omen_model_sets_exclude (m, s[1], s[3]));
  assert_true (omen_model_sets_exclude (m, s[1], s[8]));
  assert_true (omen_model_sets_exclude (m, s[10], s[3]));
  assert_false (omen_model_sets_exclude (m, s[0], s[8]));
  assert_int_equal (m->sets[s[1]].locks, m->sets[s[13]].locks);
  assert_int_equal (m->sets[s[1]].locks, m->sets[s[3]].locks);
  assert_int_not_equal (m->sets[s[1]].locks, m->sets[s[10]].locks);
  assert_int_not_equal (s[1], s[13]);
  modelled_fini (&f);
}

static void
a_wait_splits_a_section (void **state)
{
  modelled f = modelled_init (
      "T1|acq(l) T1|wait(c,l) T2|acq(l) T2|notify(c) T2|rel(l) "
      "T1|wake(c,l) T1|rel(l) T2|wait(c)");
  const omen_model *m = f.m;
  const omen_wait *w = &m->waits[m->at[1]];
  assert_int_equal (m->section_count, 3);
  assert_int_equal (m->sections[0].release, 1);
  assert_int_equal (m->sections[2].acquire, 5);
  assert_int_equal (m->sections[2].release, 6);
  assert_int_equal (w->wait, 1);
  assert_int_equal (w->back, 5);
  assert_int_equal (w->ends, 0);
  assert_int_equal (w->begins, 2);
  assert_true (w->needs);
  assert_int_equal (m->at[5], m->at[1]);
  assert_int_equal (omen_model_return_of (m, 5), m->at[1]);
  assert_int_equal (omen_model_return_of (m, 6), OMEN_NONE);
  assert_int_equal (m->waits[m->at[7]].back, OMEN_NONE);
  assert_false (m->waits[m->at[7]].needs);
  list_is (m->notifies, m->condition_notifies[0], m->condition_notifies[1],
           "3");
  modelled_fini (&f);
}

static void
timeouts_need_no_notify (void **state)
{
  modelled f
      = modelled_init ("T1|acq(l) T1|wait(c,l) T1|wake(c,l,timeout) T1|rel(l) "
                       "T1|wait(c) T2|notify(c) T1|acq(l)");
  const omen_model *m = f.m;
  assert_false (m->waits[m->at[1]].needs);
  assert_true (m->waits[m->at[4]].needs);
  assert_int_equal (m->waits[m->at[4]].back, 6);
  assert_int_equal (m->waits[m->at[4]].lock, OMEN_NONE);
  assert_int_equal (m->sections[m->at[6]].acquire, 6);
  assert_int_equal (omen_model_return_of (m, 6), m->at[4]);
  modelled_fini (&f);
}

static void
failed_tries_are_listed (void **state)
{
  modelled f
      = modelled_init ("T1|acq(l) T2|tryfail(l) T1|racq(k) T2|tryfail(k) "
                       "T3|rtryfail(l)");
  list_is (f.m->tries, f.m->lock_tries[0], f.m->lock_tries[1], "1 4");
  list_is (f.m->tries, f.m->lock_tries[1], f.m->lock_tries[2], "3");
  modelled_fini (&f);
}

/* ---- other synchronisation ---- */

static void
semaphores_are_cut_at_seminits (void **state)
{
  modelled f = modelled_init (
      "T1|down(s) T2|up(s) T1|seminit(s,3) T2|down(s) T1|up(t) "
      "T2|semfail(u)");
  const omen_model *m = f.m;
  const omen_semaphore *s = m->semaphores;
  assert_int_equal (m->semaphore_count, 4);
  assert_int_equal (m->semaphore_first[1], 2);
  assert_int_equal (s[0].start, 1);
  assert_int_equal (s[0].init, OMEN_NONE);
  assert_int_equal (s[1].start, 3);
  assert_int_equal (s[1].init, 2);
  list_is (m->sem_ops, s[0].first, s[1].first, "0 1");
  list_is (m->sem_ops, s[1].first, s[2].first, "3");
  list_is (m->sem_ops, s[2].first, s[3].first, "4");
  list_is (m->sem_ops, s[3].first, s[4].first, "5");
  assert_int_equal (m->at[2], 1);
  assert_int_equal (m->at[3], 1);
  assert_int_equal (m->at[0], 0);
  modelled_fini (&f);
}

static void
barriers_have_rounds (void **state)
{
  modelled f
      = modelled_init ("T1|arrive(b,2) T3|arrive(a,1) T2|arrive(b,2) "
                       "T1|depart(b) T1|arrive(b,3) T2|depart(b) T3|depart(a)");
  const omen_model *m = f.m;
  const omen_round *r = m->rounds;
  assert_int_equal (m->round_count, 3);
  assert_int_equal (m->barrier_rounds[1], 2);
  assert_int_equal (r[0].size, 2);
  assert_int_equal (r[1].size, 3);
  list_is (m->arrives, r[0].first_arrive, r[1].first_arrive, "0 2");
  list_is (m->arrives, r[1].first_arrive, r[2].first_arrive, "4");
  list_is (m->arrives, r[2].first_arrive, r[3].first_arrive, "1");
  list_is (m->departs, r[0].first_depart, r[1].first_depart, "3 5");
  list_is (m->departs, r[1].first_depart, r[2].first_depart, "");
  list_is (m->departs, r[2].first_depart, r[3].first_depart, "6");
  assert_int_equal (m->at[5], 0);
  assert_int_equal (m->at[4], 1);
  modelled_fini (&f);
}

static void
blocks_nest (void **state)
{
  modelled f = modelled_init (
      "T1|begin(A) T2|enter(f) T1|begin(B) T1|w(x) T1|end(B) "
      "T1|w(x) T1|begin(C) T1|end(A) T1|w(x) T1|end(C) T1|w(x) "
      "T2|w(x)");
  const omen_model *m = f.m;
  const omen_model_region *b = m->blocks;
  assert_int_equal (m->block_count, 4);
  assert_int_equal (m->thread_blocks[1], 3);
  assert_int_equal (b[0].close, 7);
  assert_int_equal (b[1].parent, 0);
  assert_int_equal (b[1].close, 4);
  assert_int_equal (b[2].parent, 0);
  assert_int_equal (b[2].close, 9);
  assert_int_equal (b[3].close, OMEN_NONE);
  assert_int_equal (omen_model_block (m, 3), 1);
  assert_int_equal (omen_model_block (m, 4), 1);
  assert_int_equal (omen_model_block (m, 5), 0);
  assert_int_equal (omen_model_block (m, 8), 2);
  assert_int_equal (omen_model_block (m, 10), OMEN_NONE);
  assert_int_equal (omen_model_block (m, 11), 3);
  assert_int_equal (m->at[7], 0);
  modelled_fini (&f);
}

static void
joins_and_objects_are_listed (void **state)
{
  modelled f
      = modelled_init ("T1|hb(o) T2|ha(o) T1|join(T3) T2|join(T3) T2|hb(p) "
                       "T1|ha(o)");
  const omen_model *m = f.m;
  assert_string_equal (omen_trace_thread_name (f.trace, 2), "T3");
  list_is (m->joins, m->thread_joins[2], m->thread_joins[3], "2 3");
  list_is (m->hb_ops, m->object_ops[0], m->object_ops[1], "0 1 5");
  list_is (m->hb_ops, m->object_ops[1], m->object_ops[2], "4");
  modelled_fini (&f);
}

/* ---- must-before ---- */

static void
threads_order (void **state)
{
  orders ("T1|w(x) T1|fork(T2) T2|w(x) T1|w(y) T2|fork(T3) T3|w(z) T1|join(T2) "
          "T1|w(z)",
          "0<2 1<2 0<5 2<5 2<6 2<7 4<7");
  leaves_open ("T1|w(x) T1|fork(T2) T2|w(x) T1|w(y) T2|fork(T3) T3|w(z) "
               "T1|join(T2) T1|w(z)",
               "2,3 3,5 5,6 5,7");
  leaves_open ("T1|acq(l) T1|w(x) T1|rel(l) T2|acq(l) T2|r(x) T2|rel(l)",
               "0,3 2,3 1,4");
  orders ("T1|fork(T2) T3|hb(o) T1|ha(o) T1|join(T2)", "0<3 1<2");
}

static void
synchronisation_orders (void **state)
{
  orders ("T1|hb(o) T2|hb(o) T3|ha(o) T1|hb(o) T4|ha(o)",
          "0<2 1<2 0<4 1<4 3<4");
  leaves_open ("T1|hb(o) T2|hb(o) T3|ha(o) T1|hb(o) T4|ha(o)", "2,3 2,4 0,1");
  orders ("T1|arrive(b,2) T2|arrive(b,2) T1|depart(b) T2|depart(b) "
          "T3|arrive(b,1)",
          "0<3 1<2 0<4 1<4");
  leaves_open ("T1|arrive(b,2) T2|arrive(b,2) T1|depart(b) T2|depart(b) "
               "T3|arrive(b,1)",
               "2,4 3,4 0,1 2,3");
  orders ("T1|up(s) T2|down(s) T3|seminit(s,2) T4|down(s) T5|up(s)",
          "0<2 1<2 2<3 2<4 0<3");
  orders ("T1|acq(l) T2|rel(l) T3|acq(l) T1|acq(k)", "0<1 1<2 0<2");
}

static void
memory_orders (void **state)
{
  orders ("T1|alloc(p,8) T2|w(p+0:4) T3|free(p)", "0<1 0<2");
  leaves_open ("T1|alloc(p,8) T2|w(p+0:4) T3|free(p)", "1,2");
  orders ("T1|w(x) T2|r(x) T3|ext(x) T4|w(x) T5|ext(x) T1|r(x)",
          "0<2 1<2 2<3 3<4 2<4 4<5 2<5");
  orders ("T1|w(x+0:4) T2|w(x+4:4) T3|ext(x+2:4) T4|r(x+6:2) T5|r(x+4:1)",
          "0<2 1<2 2<4");
  leaves_open ("T1|w(x+0:4) T2|w(x+4:4) T3|ext(x+2:4) T4|r(x+6:2)", "2,3 0,1");
}

/* What all that could serve an event have in common. */
static void
choices_order (void **state)
{
  orders ("T1|wait(c) T2|notify(c) T1|w(x)", "1<2");
  leaves_open ("T1|wait(c) T2|notify(c) T3|notify(c) T1|w(x)", "1,3 2,3");
  orders ("T1|wait(c) T2|w(x) T2|notify(c) T2|notify(c) T1|w(x)", "1<4 2<4");
  /* a notify before the wait cannot be the one, nor one after the return */
  orders ("T2|notify(c) T2|fork(T1) T1|wait(c) T3|notify(c) T1|fork(T4) "
          "T4|notify(c)",
          "3<4 3<5");
  orders ("T1|up(s) T2|down(s)", "0<1");
  leaves_open ("T1|up(s) T2|up(s) T3|down(s)", "0,2 1,2");
  orders ("T1|up(s) T2|up(s) T3|down(s) T3|down(s)", "0<3 1<3");
  orders ("T0|w(x) T0|hb(o) T1|ha(o) T2|ha(o) T1|up(s) T2|up(s) T3|down(s)",
          "0<6 1<6");
  orders ("T1|down(s) T2|semfail(s)", "0<1");
  orders ("T1|acq(l) T2|tryfail(l) T1|rel(l)", "0<1");
  leaves_open ("T1|acq(l) T2|tryfail(l) T1|rel(l) T3|acq(l) T3|rel(l)", "0,1");
  leaves_open ("T1|racq(l) T1|tryfail(l) T2|racq(l)", "1,2");
  /* T1's section is over when T2 begins */
  orders ("T1|acq(l) T1|rel(l) T1|fork(T2) T3|acq(l) T2|tryfail(l)", "3<4");
}

/* Sections that must have begun must have ended. */
static void
exclusion_orders (void **state)
{
  const char *fork
      = "T1|acq(l) T1|fork(T2) T1|w(x) T1|rel(l) T2|acq(l) T2|w(x)";
  const char *shared = "T1|racq(l) T1|fork(T2) T1|rrel(l) T2|racq(l) T2|w(x)";
  orders (fork, "2<5 3<5");
  leaves_open (fork, "3,4"); /* it may be asked for before */
  leaves_open (shared, "2,3 2,4");
  orders ("T1|acq(l) T1|fork(T2) T1|rel(l) T2|racq(l) T2|w(x)", "2<4");
  orders ("T1|acq(l) T1|hb(o) T1|rel(l) T2|acq(l) T2|ha(o)", "2<4");
  orders ("T1|acq(l) T1|fork(T2) T1|rel(l) T1|acq(l) T1|rel(l) T2|acq(l) "
          "T2|w(x)",
          "2<6");
  leaves_open ("T1|acq(l) T1|fork(T2) T1|rel(l) T1|acq(l) T1|rel(l) T2|acq(l) "
               "T2|w(x)",
               "3,6 4,6");
}

static void
what_comes_after_is_found (void **state)
{
  modelled f = modelled_init ("T1|w(x) T2|w(y) T1|hb(o) T2|ha(o) T2|w(x)");
  assert_int_equal (omen_model_after (f.m, 0, 1), 1);
  assert_int_equal (omen_model_after (f.m, 2, 1), 1);
  assert_int_equal (omen_model_after (f.m, 1, 0), 2);
  assert_int_equal (omen_model_after (f.m, 1, 1), 1);
  assert_int_equal (omen_model_before (f.m, 4, 0), 2);
  modelled_fini (&f);
}

/* More threads than a chunk of a clock has. */
static void
clocks_of_many_threads (void **state)
{
  omen_line words = { 0 };
  char word[64];
  modelled f;
  for (int t = 1; t < 100; t++) {
    int n = snprintf (word, sizeof word, "T0|fork(T%d) T%d|w(x) ", t, t);
    OMEN_VEC_RESERVE (words, words.count + (size_t)n);
    memcpy (words.data + words.count, word, (size_t)n);
    words.count += (size_t)n;
  }
  snprintf (word, sizeof word, "T0|join(T40) T0|w(x)");
  for (char *p = word; *p; p++)
    OMEN_VEC_PUSH (words, *p);
  OMEN_VEC_PUSH (words, 0);
  f = modelled_init (words.data);
  assert_non_null (f.m->clock_chunks);
  for (omen_eid e = 1; e < 198; e += 2)
    for (omen_eid fork = 0; fork < 198; fork += 2)
      assert_int_equal (omen_model_must_before (f.m, fork, e), fork < e);
  for (omen_eid e = 1; e < 198; e += 2)
    assert_int_equal (omen_model_must_before (f.m, e, 199), e == 79);
  modelled_fini (&f);
  OMEN_VEC_FINI (words);
}

/* ---- the base order ---- */

static void
the_base_order_is_the_order (void **state)
{
  modelled f
      = modelled_init ("T1|acq(l) T2|acq(l) T2|w(x) T1|w(x) T1|rel(l) T2|w(x) "
                       "T2|r(x)");
  const omen_model *m = f.m;
  assert_non_null (m->warning);
  list_is (m->order, 0, 7, "0 3 4 1 2 5 6");
  list_is (m->accesses, 0, 4, "3 2 5 6");
  assert_int_equal (m->from[m->at[6]], 5);
  assert_int_equal (omen_model_position (m, 3), 1);
  assert_int_equal (omen_model_nth (m, 1), 3);
  assert_int_equal (m->sections[0].acquire, 0);
  assert_int_equal (m->sections[1].acquire, 1);
  modelled_fini (&f);
}

static void
a_bad_trace_has_no_model (void **state)
{
  omen_trace *trace = words_parse ("T1|rel(l)");
  omen_err err = { 0 };
  assert_null (omen_model_new (trace, &err));
  assert_string_equal (
      err.what, "event 0 (T1:0 rel(l)): release of a lock that nobody holds");
  omen_trace_free (trace);
}

static void
neighbours_in_the_thread (void **state)
{
  modelled f = modelled_init ("T1|w(x) T2|w(x) T1|r(x)");
  assert_int_equal (omen_model_next (f.m, 0), 2);
  assert_int_equal (omen_model_next (f.m, 2), OMEN_NONE);
  assert_int_equal (omen_model_previous (f.m, 2), 0);
  assert_int_equal (omen_model_previous (f.m, 1), OMEN_NONE);
  modelled_fini (&f);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (reads_see_writes),
    UNIT (equal_values_have_equal_ids),
    UNIT (ranges_are_cut_into_atoms),
    UNIT (tokens_and_wholes_compare_by_class),
    UNIT (an_rmw_reads_then_writes),
    UNIT (cells_list_each_thread),
    UNIT (a_name_in_use_is_allocated_anew),
    UNIT (sections_are_found),
    UNIT (nested_operations_count_depth_only),
    UNIT (sets_exclude_by_mode),
    UNIT (a_wait_splits_a_section),
    UNIT (timeouts_need_no_notify),
    UNIT (failed_tries_are_listed),
    UNIT (semaphores_are_cut_at_seminits),
    UNIT (barriers_have_rounds),
    UNIT (blocks_nest),
    UNIT (joins_and_objects_are_listed),
    UNIT (threads_order),
    UNIT (synchronisation_orders),
    UNIT (memory_orders),
    UNIT (choices_order),
    UNIT (exclusion_orders),
    UNIT (what_comes_after_is_found),
    UNIT (clocks_of_many_threads),
    UNIT (the_base_order_is_the_order),
    UNIT (a_bad_trace_has_no_model),
    UNIT (neighbours_in_the_thread),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
