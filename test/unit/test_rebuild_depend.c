/* Dependences of recordings: what the sites say, made into `<-` and `^`. */
#include "unit.h"

#include "recorded.h"

#include "recording/rebuild.h"

enum { X = 0x10000, Y = 0x10040, STACK = 0x700000 };

/* Two free reads, a bound one, a write that depends on the first, one that
   depends on both, a plain one. */
typedef struct fixture {
  recording r;
  omen_site *one, *two, *bound, *on_one, *on_both, *plain, *leave;
} fixture;

static void
set_up (fixture *f, bool all)
{
  static const uint32_t on[] = { 1, 2 };
  recording *r = &f->r;
  recording_init (r);
  f->one = recording_site (r, OMEN_SITE_LOAD, 4, "f.c", 1);
  f->two = recording_site (r, OMEN_SITE_LOAD, 4, "f.c", 2);
  f->bound = recording_site (r, OMEN_SITE_LOAD, 4, "f.c", 3);
  f->on_one = recording_site (r, OMEN_SITE_STORE, 4, "f.c", 4);
  f->on_both = recording_site (r, OMEN_SITE_STORE, 4, "f.c", 5);
  f->plain = recording_site (r, OMEN_SITE_STORE, 4, "f.c", 6);
  f->leave = recording_site (r, OMEN_SITE_EXIT, 0, "f.c", 7);
  recording_object (r, X, 16, "x");
  recording_object (r, Y, 16, "y");
  recording_zeros (r, X, 16);
  recording_zeros (r, Y, 16);
  recording_depend (r, f->on_both, 5, 0, 2, on);
  recording_depend (r, f->one, 1, OMEN_DEPEND_FREE, 0, NULL);
  recording_depend (r, f->two, 2, OMEN_DEPEND_FREE, 0, NULL);
  recording_depend (r, f->on_one, 4, 0, 1, on);
  r->shared_only = !all;
}

static void
note (fixture *f, uint32_t t, uint64_t address, uint64_t value, omen_site *site)
{
  recording_note (&f->r, t, address, value, site);
}

/* The events as text, without initial values; well formed. */
static void
becomes (fixture *f, const char *expected)
{
  char *text = recorded_text (&f->r), *at;
  for (at = text; *at == '*';)
    at = strchr (at, '\n') + 1;
  assert_string_equal (at, expected);
  free (text);
  recording_fini (&f->r);
}

static void
writes_depend_on_the_last_reads (void **state)
{
  fixture f;
  set_up (&f, true);
  note (&f, 0, X, 0, f.one);
  note (&f, 0, Y, 0, f.two);
  note (&f, 0, X, 1, f.on_one);
  note (&f, 0, Y, 2, f.on_both);
  note (&f, 0, X + 8, 3, f.plain);
  note (&f, 0, X, 1, f.one);
  note (&f, 0, X, 2, f.on_one);
  becomes (&f, "T0|r(x+0:4=0)|f.c:1\nT0|r(y+0:4=0)|f.c:2\n"
               "T0|w(x+0:4=1)|f.c:4<-0\nT0|w(y+0:4=2)|f.c:5<-0,1\n"
               "T0|w(x+8:4=3)|f.c:6\n"
               "T0|r(x+0:4=1)|f.c:1<-0\n" /* the reads of a site are a chain */
               "T0|w(x+0:4=2)|f.c:4<-5\n");
}

static void
other_threads_have_reads_of_their_own (void **state)
{
  fixture f;
  set_up (&f, true);
  note (&f, 0, X, 0, f.one);
  note (&f, 1, X + 8, 1, f.on_one);
  note (&f, 0, X + 4, 1, f.on_one);
  becomes (&f, "T0|r(x+0:4=0)|f.c:1\nT0|w(x+4:4=1)|f.c:4<-0\n"
               "T1|w(x+8:4=1)|f.c:4\n");
}

static void
everything_depends_on_bound_reads (void **state)
{
  fixture f;
  set_up (&f, true);
  note (&f, 0, X, 0, f.bound);
  note (&f, 0, X, 0, f.one);
  note (&f, 0, Y, 0, f.bound);
  note (&f, 0, X, 1, f.on_one);
  note (&f, 0, Y, 1, f.plain);
  becomes (&f, "T0|r(x+0:4=0)|f.c:3\nT0|r(x+0:4=0)|f.c:1<-0\n"
               "T0|r(y+0:4=0)|f.c:3<-0\nT0|w(x+0:4=1)|f.c:4<-1,2\n"
               "T0|w(y+0:4=1)|f.c:6<-2\n");
}

/* x+8 is T0's alone, but what came from x goes through it. */
static void
private_memory_with_dependences_stays (void **state)
{
  fixture f;
  set_up (&f, false);
  note (&f, 1, X, 1, f.plain);
  note (&f, 0, X, 1, f.one);
  note (&f, 0, X + 8, 1, f.on_one);
  note (&f, 0, X + 8, 1, f.bound);
  note (&f, 0, Y, 1, f.plain);
  note (&f, 1, Y, 1, f.bound);
  becomes (&f, "T1|w(x+0:4=1)|f.c:6\n"
               "T0|r(x+0:4=1)|f.c:1\nT0|w(x+8:4=1)|f.c:4<-0\n"
               "T0|r(x+8:4=1)|f.c:3\nT0|w(y+0:4=1)|f.c:6<-2\n"
               "T1|r(y+0:4=1)|f.c:3\n");
}

/* Reads that go hand on what stood before them. */
static void
what_is_left_out_is_stood_in_for (void **state)
{
  fixture f;
  set_up (&f, false);
  note (&f, 1, X, 1, f.plain);
  note (&f, 1, Y, 1, f.plain);
  note (&f, 0, X, 1, f.one);        /* 0 */
  note (&f, 0, X + 8, 0, f.one);    /* goes: its own memory */
  note (&f, 0, Y, 1, f.bound);      /* 1 */
  note (&f, 0, X + 12, 0, f.bound); /* goes */
  note (&f, 0, X, 2, f.on_one);     /* 2 */
  becomes (&f, "T1|w(x+0:4=1)|f.c:6\nT0|r(x+0:4=1)|f.c:1\n"
               "T1|w(y+0:4=1)|f.c:6\nT0|r(y+0:4=1)|f.c:3\n"
               "T0|w(x+0:4=2)|f.c:4<-0,1\n");
}

/* A store into a stack, beside all locals, leaves no event; what was stored may
   come back from there. */
static void
what_is_lost_binds (void **state)
{
  fixture f;
  set_up (&f, true);
  recording_item (&f.r, 0, OMEN_ITEM_THREAD_BEGIN, 0, 0, 0, 0);
  recording_part (&f.r, 0, STACK, STACK + 4096);
  note (&f, 0, X, 0, f.one);
  note (&f, 0, STACK + 64, 0, f.on_one);
  note (&f, 0, Y, 1, f.plain);
  note (&f, 0, Y, 1, f.bound);
  note (&f, 0, Y, 2, f.plain);
  becomes (&f, "T0|r(x+0:4=0)|f.c:1\nT0|branch()|f.c:4<-0\n"
               "T0|w(y+0:4=1)|f.c:6^1\nT0|r(y+0:4=1)|f.c:3^1\n"
               "T0|w(y+0:4=2)|f.c:6<-3\n");
}

static void
it_is_told_that_nothing_depends (void **state)
{
  fixture f;
  set_up (&f, true);
  note (&f, 0, X, 0, f.one);
  note (&f, 0, Y, 1, f.plain);
  becomes (&f, "T0|r(x+0:4=0)|f.c:1\nT0|w(y+0:4=1)|f.c:6\n");
  set_up (&f, true);
  recording_site (&f.r, OMEN_SITE_ENTER, 0, "f.c", 8);
  note (&f, 0, 1, 0, &f.r.sites[f.r.site_count - 1]);
  note (&f, 0, X, 0, f.one);
  note (&f, 0, Y, 1, f.plain);
  note (&f, 0, 1, 0, f.leave);
  becomes (&f, "T0|enter(f)|f.c:8\nT0|r(x+0:4=0)|f.c:1\n"
               "T0|w(y+0:4=1)|f.c:6\nT0|exit(f)|f.c:7<-1\n");
}

static void
refused (fixture *f)
{
  omen_err err = { 0 };
  note (f, 0, X, 0, f->one);
  assert_null (recording_load (&f->r, &err));
  if (!strstr (err.what, "it has an id or value out of range"))
    print_error ("%s\n", err.what);
  assert_non_null (strstr (err.what, "it has an id or value out of range"));
  recording_fini (&f->r);
}

static void
bad_tables_are_refused (void **state)
{
  omen_site nowhere = { .id = 1000 };
  uint32_t many[OMEN_DEPEND_MAX + 1] = { 0 };
  fixture f;
  set_up (&f, true);
  recording_depend (&f.r, &nowhere, 7, 0, 0, NULL);
  refused (&f);
  set_up (&f, true);
  recording_depend (&f.r, f.one, 7, 0, 0, NULL); /* it has one */
  refused (&f);
  set_up (&f, true);
  recording_depend (&f.r, f.plain, 7, 6, 0, NULL);
  refused (&f);
  set_up (&f, true);
  recording_depend (&f.r, f.plain, 7, 0, OMEN_DEPEND_MAX + 1, many);
  refused (&f);
}

UNIT_MAIN (UNIT (writes_depend_on_the_last_reads),
           UNIT (other_threads_have_reads_of_their_own),
           UNIT (everything_depends_on_bound_reads),
           UNIT (private_memory_with_dependences_stays),
           UNIT (what_is_left_out_is_stood_in_for), UNIT (what_is_lost_binds),
           UNIT (it_is_told_that_nothing_depends),
           UNIT (bad_tables_are_refused))
