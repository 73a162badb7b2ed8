/* make_golden DIR: writes golden/v1 and bad below DIR (test/ of the source).

   Run it by scripts/make-golden, and only when the format gets a new version:
   the point of these files is that they do not change. */
#include "recording_file.h"

#include "io/binary.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>

static const char *top;

static void
save (const char *folder, const char *name, const void *data, size_t size)
{
  char path[4096];
  FILE *file;
  snprintf (path, sizeof path, "%s/%s/%s.omen", top, folder, name);
  file = fopen (path, "wb");
  OMEN_REQUIRE (file && fwrite (data, 1, size, file) == size);
  OMEN_REQUIRE (!fclose (file));
}

/* ---- files that load ---- */

static const char kinds[]
    = "T1|r(x)|f.c:1\nT1|r(x=5)|f.c:2\nT1|w(x)|\nT1|w(x=-5)|f.c:4\n"
      "T1|ar(x=5)|\nT1|ar.rlx(x=5)|\nT1|ar.acq(x)|\nT1|aw.rel(x=5)|\n"
      "T1|aw(x=5)|\nT1|rmw(x)|\nT1|rmw.acqrel(x=5:6)|\nT1|rmw(x=:6)|\n"
      "T1|rmw(x=6:)|\nT1|fence.acq()|\nT1|fence.rel()|\nT1|fence.sc()|\n"
      "T1|fence.acqrel()|\nT1|req(l)|\nT1|acq(l)|\nT1|rel(l)|\n"
      "T1|acq(l,try)|\nT1|rel(l)|\nT1|racq(l)|\nT1|rrel(l)|\n"
      "T1|racq(l,try)|\nT1|rrel(l)|\nT1|tryfail(l)|\nT1|rtryfail(l)|\n"
      "T1|lockfail(m)|\nT1|fork(T2)|\nT2|w(y)|f.c:5\nT1|join(T2)|\n"
      "T1|wait(c,l)|\nT1|wake(c,l)|\nT1|wait(c)|\nT1|wake(c)|\n"
      "T1|wake(c,m,timeout)|\nT1|wake(c,l,spurious)|\nT1|wake(c,timeout)|\n"
      "T1|notify(c)|\nT1|notifyall(d)|\nT1|seminit(s,2)|\nT1|up(s)|\n"
      "T1|down(s)|\nT1|semfail(s)|\nT1|arrive(b,3)|\nT1|depart(b)|\n"
      "T1|hb(o)|\nT1|ha(o)|\nT1|begin(A)|\nT1|end(A)|\nT1|enter(f)|\n"
      "T1|exit(f)|\nT1|alloc(p,8)|\nT1|free(p)|\nT1|ext(x)|\n"
      "T1|ext(x+4:2)|\nT1|branch()|\nT1|emit(e)|\n"
      "T1|emit(e,p=1,q=&x+4,r=red)|\n";
static const char values[]
    = "*|init(x=7)|\n*|init(y+4:2=red)|\nT1|w(x=0)|1\nT1|w(x=127)|1\n"
      "T1|w(x=-128)|1\nT1|w(x=128)|1\nT1|w(x=2147483647)|1\n"
      "T1|w(x=-2147483648)|1\nT1|w(x=2147483648)|1\n"
      "T1|w(x=9223372036854775807)|1\nT1|w(x=-9223372036854775808)|1\n"
      "T1|w(x=9223372036854775808)|1\nT1|w(x=18446744073709551615)|1\n"
      "T1|w(x=red)|1\nT1|w(x=1e3)|1\nT1|w(x=&x)|1\nT1|w(x=&y+4294967295)|1\n"
      "T1|w(y+4:2=12)|1\nT1|r(y+0:8)|1\nT1|w(z=blue)|1\n"
      "T1|rmw(x=red:green)|1\nT1|emit(e,k=blue,k=white)|1\n";
static const char names[]
    = "T\\x00|w(x\\x00y)|\\x7c\nT \\xff|w(\\-=\\-)|a b c\n"
      "T\\x00|alloc(p,8)|\nT\\x00|w(p=&p)|\nT\\x00|alloc(p,16)|\n"
      "T\\x00|w(p=1)|\nT\\x00|w(p~0=2)|\nT\\x00|w(q=&p~0+8)|\n";
static const char dependences[]
    = "A|r(x=1)|1\nA|r(y=1)|2\nA|branch()|3<-0,1\nA|w(z=2)|4<-1^2\n"
      "B|branch()|5\nB|w(z=2)|6^0\n";
static const char maybe[]
    = "A|hb(lib.so,maybe)|1\nA|ha(lib.so,maybe)|1\nB|hb(o)|2\nA|ha(o)|3\n"
      "B|ha(a\\x2cmaybe)|4\nB|hb(a\\x2cmaybe,maybe)|5\n";
static const char two_threads[]
    = "A|acq(l)|1\nA|w(x=1)|2\nA|rel(l)|3\nB|acq(l)|4\nB|r(x=1)|5\n"
      "A|w(y=2)|6\nB|rel(l)|7\n";

static omen_trace *
trace_of (const char *text)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", text, strlen (text), &err);
  if (!trace)
    fprintf (stderr, "%s: %s\n", err.where, err.what);
  OMEN_REQUIRE (trace);
  return trace;
}

static void
bytes_of (const omen_trace *trace, unsigned how, file_bytes *file)
{
  char *data;
  size_t size;
  FILE *out = open_memstream (&data, &size);
  OMEN_REQUIRE (omen_binary_write_as (trace, how, out, NULL));
  fclose (out);
  file_put (file, data, size);
  free (data);
}

static void
good (const char *name, const char *text, unsigned how)
{
  omen_trace *trace = trace_of (text);
  file_bytes file = { 0 };
  bytes_of (trace, how, &file);
  save ("golden/v1", name, file.data, file.count);
  OMEN_VEC_FINI (file);
  omen_trace_free (trace);
}

static uint32_t
string (omen_trace *trace, const char *text)
{
  return omen_names_id (&trace->strings, text, strlen (text));
}

/* With all that a recorder adds. */
static void
good_recorded (void)
{
  omen_trace *trace = trace_of (two_threads);
  file_bytes file = { 0 };
  omen_names_id (&trace->names[OMEN_OPERAND_FUNCTION], "main", 4);
  trace->threads.data[0].path = string (trace, "0");
  trace->threads.data[1].path = string (trace, "0.1");
  trace->program = string (trace, "prog --fast");
  OMEN_VEC_PUSH (trace->modules,
                 ((omen_module){ string (trace, "/bin/prog"),
                                 string (trace, "c0ffee"), 0x400000, 8192 }));
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ 0, 3, OMEN_NONE }));
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ OMEN_NONE, 1, 0 }));
  OMEN_VEC_PUSH (trace->extras, ((omen_extra){ 1, 0, 0, OMEN_NONE, 1 }));
  trace->events.data[1].mode |= OMEN_MODE_EXTRA;
  trace->flags = OMEN_TRACE_STACKS;
  bytes_of (trace, OMEN_BINARY_BY_THREAD, &file);
  save ("golden/v1", "recorded", file.data, file.count);
  OMEN_VEC_FINI (file);
  omen_trace_free (trace);
}

/* Where its sources were; an identity does not depend on it. */
static void
good_sources (void)
{
  omen_trace *trace = trace_of (two_threads);
  file_bytes file = { 0 };
  OMEN_VEC_PUSH (trace->sources,
                 ((omen_source_file){ string (trace, "src/f.c"),
                                      string (trace, "/build/src/f.c") }));
  OMEN_VEC_PUSH (trace->sources,
                 ((omen_source_file){ string (trace, "src/f.c"),
                                      string (trace, "/other/src/f.c") }));
  bytes_of (trace, 0, &file);
  save ("golden/v1", "sources", file.data, file.count);
  OMEN_VEC_FINI (file);
  omen_trace_free (trace);
}

static void
range (recording *r, uint32_t t, unsigned kind, uint64_t address,
       const char *bytes, uint64_t size)
{
  recording_item (r, t, kind, address, 0, size, 0x400010);
  for (uint64_t i = 0; i < size; i += 16) {
    uint64_t words[2] = { 0 };
    memcpy (words, bytes + i, size - i < 16 ? size - i : 16);
    recording_part (r, t, words[0], words[1]);
  }
}

/* Bytes that are copied and filled, as they are and, as once, in PARTs. */
static void
good_ranges (const char *name, bool old)
{
  static const char text[] = "some text, longer than two PARTs";
  static const char zeros[40];
  recording r;
  recording_init (&r);
  r.old_ranges = old;
  recording_module (&r, 0x400000, "/bin/prog", true);
  recording_object (&r, 0x1000, 64, "from");
  recording_object (&r, 0x2000, 64, "to");
  range (&r, 0, OMEN_ITEM_RANGE_WRITE, 0x1000, text, sizeof text);
  recording_item (&r, 0, OMEN_ITEM_FORK, 1, 0, 0, 0);
  recording_item (&r, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0, 0, 0);
  range (&r, 1, OMEN_ITEM_RANGE_READ, 0x1000, text, sizeof text);
  range (&r, 1, OMEN_ITEM_RANGE_WRITE, 0x2000, text, sizeof text);
  recording_item (&r, 1, OMEN_ITEM_THREAD_END, 1, 0, 0, 0);
  recording_item (&r, 0, OMEN_ITEM_JOIN, 1, 0, 0, 0);
  range (&r, 0, OMEN_ITEM_RANGE_READ, 0x2002, text + 2, 4);
  range (&r, 0, OMEN_ITEM_RANGE_WRITE, 0x2000, zeros, sizeof zeros);
  range (&r, 0, OMEN_ITEM_RANGE_READ, 0x2001, zeros, 7);
  file_bytes file = recording_file (&r);
  save ("golden/v1", name, file.data, file.count);
  OMEN_VEC_FINI (file);
  recording_fini (&r);
}

/* A list that one thread makes and the other walks: addresses that lie near the
   values read before, alone and in runs. (addresses-by-values is what versions
   before OMEN_FEATURE_APART made of it.) */
static void
good_addresses (const char *name)
{
  enum { NODES = 12, NODE = 0x120 };
  recording r;
  recording_init (&r);
  recording_object (&r, 0x20000, NODES * NODE, "nodes");
  omen_site *set_key = recording_site (&r, OMEN_SITE_STORE, 8, "f.c", 3);
  omen_site *set_next = recording_site (&r, OMEN_SITE_STORE, 8, "f.c", 4);
  omen_site *key = recording_site (&r, OMEN_SITE_LOAD, 8, "f.c", 7);
  omen_site *next = recording_site (&r, OMEN_SITE_LOAD, 8, "f.c", 8);
  for (uint64_t i = 0; i < NODES; i++)
    recording_note (&r, 0, 0x20000 + NODE * i, i * i, set_key);
  for (uint64_t i = 0; i < NODES; i++)
    recording_note (&r, 0, 0x20008 + NODE * i, 0x20000 + NODE * (5 * i % NODES),
                    set_next);
  recording_item (&r, 0, OMEN_ITEM_FORK, 1, 0, 0, 0);
  recording_item (&r, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0, 0, 0);
  for (uint64_t i = 1, turn = 0; turn < NODES; turn++, i = 5 * i % NODES) {
    recording_note (&r, 1, 0x20000 + NODE * i, i * i, key);
    recording_note (&r, 1, 0x20008 + NODE * i,
                    0x20000 + NODE * (5 * i % NODES), next);
  }
  recording_item (&r, 1, OMEN_ITEM_THREAD_END, 1, 0, 0, 0);
  recording_item (&r, 0, OMEN_ITEM_JOIN, 1, 0, 0, 0);
  recording_note (&r, 0, 0x20000, 7, set_key);
  file_bytes file = recording_file (&r);
  save ("golden/v1", name, file.data, file.count);
  OMEN_VEC_FINI (file);
  recording_fini (&r);
}

/* Two threads that take turns with a lock and copy, in chunks that continue
   each other: the same notes again and again, in two orders, and some new ones.
   (chains is what versions before OMEN_FEATURE_TAGS made of it.) */
static void
good_chains (const char *name)
{
  enum { ROUNDS = 60, SITES = 8 };
  static const char text[] = "what is copied, and again";
  recording r;
  omen_site *sites[SITES];
  recording_init (&r);
  r.chain = 5;
  r.chunk = 100;
  recording_module (&r, 0x400000, "/bin/prog", true);
  recording_object (&r, 0x20000, 8 * SITES, "cells");
  recording_object (&r, 0x30000, 64, "from");
  recording_object (&r, 0x40000, 64, "to");
  for (uint32_t i = 0; i < SITES; i++)
    sites[i] = recording_site (&r, OMEN_SITE_STORE, 8, "f.c", i + 1);
  range (&r, 0, OMEN_ITEM_RANGE_WRITE, 0x30000, text, sizeof text);
  recording_item (&r, 0, OMEN_ITEM_FORK, 1, 0, 0, 0);
  recording_item (&r, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0, 0, 0);
  for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
    uint32_t t = i & 1;
    recording_item (&r, t, OMEN_ITEM_ACQUIRE, 0x50000, i * 2, 0, 0x400010);
    for (uint64_t k = 0; k < 3 + i % 5; k++) {
      uint64_t at = (i / 2 * k + t) % (1 + i % SITES);
      recording_note (&r, t, 0x20000 + 8 * at, i * k * k, sites[at]);
    }
    range (&r, t, OMEN_ITEM_RANGE_READ, 0x30000, text, sizeof text);
    range (&r, t, OMEN_ITEM_RANGE_WRITE, 0x40000, text + i % 7, 17);
    recording_item (&r, t, OMEN_ITEM_RELEASE, 0x50000, i * 2 + 1, 0, 0x400020);
  }
  recording_item (&r, 1, OMEN_ITEM_THREAD_END, 1, 0, 0, 0);
  recording_item (&r, 0, OMEN_ITEM_JOIN, 1, 0, 0, 0);
  file_bytes file = recording_file (&r);
  save ("golden/v1", name, file.data, file.count);
  OMEN_VEC_FINI (file);
  recording_fini (&r);
}

/* ---- by hand ---- */

static void
start (file_bytes *file)
{
  static const char *const threads[] = { "A", "B" };
  static const char *const locks[] = { "unused", "l", "m" };
  static const char *const locations[] = { "", "f.c:9" };
  file_put_header (file, file_header ());
  file_put_names (file, OMEN_OPERAND_THREAD, threads, 2);
  file_put_names (file, OMEN_OPERAND_LOCK, locks, 3);
  file_put_names (file, OMEN_TABLE_LOCATIONS, locations, 2);
}

static void
put_chunk (file_bytes *file, unsigned kind, uint32_t stream, uint64_t first,
           uint32_t count, const void *payload, size_t size)
{
  file_put_chunk (file,
                  (omen_chunk_header){ .kind = (uint16_t)kind,
                                       .stream = stream,
                                       .first = first,
                                       .count = count },
                  payload, size);
}

static const uint8_t acq_m[] = { OMEN_ACQUIRE, 1 << 2, 2 };
static const uint8_t rel_m[] = { OMEN_RELEASE, 1 << 2, 2 };
static const uint8_t extended[]
    = { OMEN_ACQUIRE | OMEN_RECORD_EXTENDED,
        1 << 2 | 1 << 4,
        2, /* lock m */
        1, /* f.c:9 */
        OMEN_EXTENSION_MODE | OMEN_EXTENSION_ORDINAL,
        OMEN_MODE_TRY | OMEN_EXTENSION_MORE,
        0xac,
        0x02, /* ordinal 300 */
        3,
        'x',
        'y',
        'z' };

static void
good_by_hand (void)
{
  file_bytes file = { 0 };
  start (&file);
  put_chunk (&file, OMEN_CHUNK_EVENTS, 1, 1, 1, rel_m, sizeof rel_m);
  file_put_chunk (
      &file, (omen_chunk_header){ .kind = 4000, .flags = OMEN_CHUNK_OPTIONAL },
      "later", 5);
  put_chunk (&file, OMEN_CHUNK_EVENTS, 0, 0, 1, acq_m, sizeof acq_m);
  put_chunk (&file, OMEN_CHUNK_EVENTS, 0, 1, 1, rel_m, sizeof rel_m);
  put_chunk (&file, OMEN_CHUNK_EVENTS, 1, 0, 1, extended, sizeof extended);
  put_chunk (&file, OMEN_CHUNK_ORDER, OMEN_NONE, 0, 2, "\1\2\0\2", 4);
  file_put_end (&file, 9, 4);
  save ("golden/v1", "by_hand", file.data, file.count);
  OMEN_VEC_FINI (file);
}

/* ---- files that are damaged or wrong ---- */

static void
bad (file_bytes *file, const char *name)
{
  save ("bad", name, file->data, file->count);
  OMEN_VEC_FINI (*file);
}

static void
cut (const file_bytes *whole, const char *name, size_t size)
{
  OMEN_REQUIRE (size < whole->count);
  save ("bad", name, whole->data, size);
}

/* Where the n-th chunk of a kind begins. */
static size_t
chunk_at (const file_bytes *file, unsigned kind, unsigned n)
{
  size_t at = sizeof (omen_file_header);
  for (;;) {
    omen_chunk_header h;
    OMEN_REQUIRE (at + sizeof h <= file->count);
    memcpy (&h, file->data + at, sizeof h);
    if (h.kind == kind && !n--)
      return at;
    at += sizeof h + h.stored;
  }
}

static void
make_cuts (void)
{
  omen_trace *trace = trace_of (two_threads);
  file_bytes f = { 0 };
  size_t names_at, events_at, end_at;
  bytes_of (trace, 0, &f);
  names_at = chunk_at (&f, OMEN_CHUNK_NAMES, 0);
  events_at = chunk_at (&f, OMEN_CHUNK_EVENTS, 0);
  end_at = chunk_at (&f, OMEN_CHUNK_END, 0);
  cut (&f, "cut-in-magic", 6);
  cut (&f, "cut-in-header", 20);
  cut (&f, "cut-after-header", sizeof (omen_file_header));
  cut (&f, "cut-in-chunk-header", names_at + 10);
  cut (&f, "cut-in-names", names_at + sizeof (omen_chunk_header) + 1);
  cut (&f, "cut-before-events", events_at);
  cut (&f, "cut-in-events", events_at + sizeof (omen_chunk_header) + 9);
  cut (&f, "cut-before-end", end_at);
  cut (&f, "cut-in-end", f.count - 1);
  OMEN_VEC_FINI (f);
  bytes_of (trace, OMEN_BINARY_BY_THREAD, &f);
  cut (&f, "cut-between-threads", chunk_at (&f, OMEN_CHUNK_EVENTS, 1));
  OMEN_VEC_FINI (f);
  omen_trace_free (trace);
}

/* One byte of a chunk's payload or header, or the whole chunk. */
static void
make_damage (void)
{
  static const struct {
    const char *name;
    unsigned kind, n;
    size_t byte;
  } places[] = {
    { "damaged-events", OMEN_CHUNK_EVENTS, 0, sizeof (omen_chunk_header) + 3 },
    { "damaged-events-header", OMEN_CHUNK_EVENTS, 1, 17 },
    { "damaged-names", OMEN_CHUNK_NAMES, 1, sizeof (omen_chunk_header) },
    { "damaged-places", OMEN_CHUNK_PLACES, 0, sizeof (omen_chunk_header) },
    { "damaged-order", OMEN_CHUNK_ORDER, 0, sizeof (omen_chunk_header) },
    { "damaged-end", OMEN_CHUNK_END, 0, sizeof (omen_chunk_header) },
  };
  omen_trace *trace = trace_of (two_threads);
  for (size_t i = 0; i < OMEN_COUNT (places); i++) {
    file_bytes f = { 0 };
    bytes_of (trace, OMEN_BINARY_BY_THREAD, &f);
    f.data[chunk_at (&f, places[i].kind, places[i].n) + places[i].byte] ^= 0x10;
    bad (&f, places[i].name);
  }
  omen_trace_free (trace);
}

static void
make_missing (void)
{
  omen_trace *trace = trace_of (two_threads);
  file_bytes f = { 0 };
  size_t at, next;
  bytes_of (trace, OMEN_BINARY_BY_THREAD, &f);
  at = chunk_at (&f, OMEN_CHUNK_EVENTS, 0);
  next = chunk_at (&f, OMEN_CHUNK_EVENTS, 1);
  memmove (f.data + at, f.data + next, f.count - next);
  f.count -= next - at;
  bad (&f, "missing-chunk");
  omen_trace_free (trace);
}

static void
make_versions (void)
{
  file_bytes f = { 0 };
  omen_file_header h = file_header ();
  h.version = 9;
  h.minimum = 7;
  file_put_header (&f, h);
  bad (&f, "newer-version");
  h = file_header ();
  h.features = 0x8001;
  file_put_header (&f, h);
  bad (&f, "unknown-feature");
  h = file_header ();
  file_put (&f, &h, sizeof h);
  bad (&f, "damaged-header");
  memcpy (h.magic, "\x89OMEN\n\x1a", 8);
  file_put_header (&f, h);
  bad (&f, "wrong-magic");
  start (&f);
  file_put_chunk (&f, (omen_chunk_header){ .kind = 4000 }, "later", 5);
  file_put_end (&f, 4, 0);
  bad (&f, "unknown-chunk");
}

/* One events chunk with these bytes, in an otherwise right file. */
static void
wrong_events (const char *name, uint32_t stream, uint32_t count,
              const void *payload, size_t size)
{
  file_bytes f = { 0 };
  start (&f);
  put_chunk (&f, OMEN_CHUNK_EVENTS, stream, 0, count, payload, size);
  file_put_end (&f, 4, count);
  bad (&f, name);
}

static void
make_wrong_events (void)
{
  wrong_events ("event-kind", 0, 1, "\77\0", 2);
  wrong_events ("event-thread", OMEN_NONE, 1, "\6\1\7", 3);
  wrong_events ("event-other-thread", 0, 1, "\6\1\1", 3);
  wrong_events ("event-no-thread", OMEN_NONE, 1, "\6\0", 2);
  wrong_events ("event-operand", 0, 1, "\6\4\7", 3);
  wrong_events ("event-location", 0, 1, "\6\20\7", 3);
  wrong_events ("event-value", 0, 1, "\6\100\7", 3);
  wrong_events ("event-order", 0, 1, "\206\0\10", 3);
  wrong_events ("event-mode", 0, 1, "\206\0\100\2", 4);
  wrong_events ("event-short", 0, 2, "\6\0\6\74", 4);
  wrong_events ("event-left-over", 0, 1, "\6\0\6", 3);
  wrong_events ("events-more-than-bytes", 0, UINT32_MAX, "\6\0\6\0", 4);
  wrong_events ("events-without-thread", 5, 1, "\6\0", 2);
}

static void
make_wrong_streams (void)
{
  file_bytes f = { 0 };
  start (&f);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 0, 0, 1, acq_m, sizeof acq_m);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 1, 0, 1, acq_m, sizeof acq_m);
  file_put_end (&f, 5, 2);
  bad (&f, "no-order");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 0, 0, 1, acq_m, sizeof acq_m);
  put_chunk (&f, OMEN_CHUNK_ORDER, OMEN_NONE, 0, 1, "\0\377\377\3", 4);
  file_put_end (&f, 5, 1);
  bad (&f, "order-too-long");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 0, 0, 1, acq_m, sizeof acq_m);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 0, 0, 1, acq_m, sizeof acq_m);
  file_put_end (&f, 5, 2);
  bad (&f, "repeated-chunk");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_EVENTS, 0, 7, 1, acq_m, sizeof acq_m);
  file_put_end (&f, 4, 1);
  bad (&f, "gap");
  start (&f);
  file_put_end (&f, 3, 12);
  bad (&f, "end-counts-more");
}

static void
make_hostile (void)
{
  static const char *const twice[] = { "z", "z" };
  file_bytes f = { 0 };
  start (&f);
  file_put_names (&f, OMEN_OPERAND_BARRIER, twice, 2);
  file_put_end (&f, 4, 0);
  bad (&f, "name-twice");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_NAMES, OMEN_OPERAND_BARRIER, 0, 1,
             "\377\377\377\377\377\377\377\377\377\1x", 11);
  file_put_end (&f, 4, 0);
  bad (&f, "name-length");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_NAMES, 77, 0, 1, "\1x", 2);
  file_put_end (&f, 4, 0);
  bad (&f, "name-table");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_PLACES, OMEN_NONE, 0, 1, "\0\0\0\0\0\0\0\0\1\0\0\0",
             12);
  file_put_end (&f, 4, 0);
  bad (&f, "place-without-variable");
  start (&f);
  put_chunk (&f, OMEN_CHUNK_PLACES, OMEN_NONE, 0, 3, "\0\0\0\0", 4);
  file_put_end (&f, 4, 0);
  bad (&f, "places-too-short");
  start (&f);
  file_put_chunk (&f,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_EVENTS,
                                       .flags = OMEN_CHUNK_LZ4,
                                       .count = 1,
                                       .size = UINT32_MAX },
                  "\6\0", 2);
  file_put_end (&f, 4, 1);
  bad (&f, "unpacks-to-too-much");
  start (&f);
  file_put_chunk (&f,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_EVENTS,
                                       .flags = OMEN_CHUNK_LZ4,
                                       .count = 1,
                                       .size = 100 },
                  "\6\0", 2);
  file_put_end (&f, 4, 1);
  bad (&f, "does-not-unpack");
  start (&f);
  file_put_chunk (&f,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_EVENTS,
                                       .count = 1,
                                       .stored = UINT32_MAX,
                                       .size = UINT32_MAX },
                  "\6\0", 2);
  bad (&f, "longer-than-the-file");
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    return fprintf (stderr, "usage: make_golden DIR\n"), 2;
  top = argv[1];
  good ("empty", "", 0);
  good ("kinds", kinds, 0);
  good ("kinds-by-thread", kinds, OMEN_BINARY_BY_THREAD);
  good ("kinds-lz4", kinds, OMEN_BINARY_LZ4);
  good ("values", values, 0);
  good ("names", names, 0);
  good ("dependences", dependences, OMEN_BINARY_BY_THREAD);
  good ("maybe", maybe, 0);
  good_recorded ();
  good_sources ();
  good_ranges ("ranges", false);
  good_ranges ("ranges-in-parts", true);
  good_addresses ("addresses");
  good_chains ("chains-with-tags");
  good_by_hand ();
  make_cuts ();
  make_damage ();
  make_missing ();
  make_versions ();
  make_wrong_events ();
  make_wrong_streams ();
  make_hostile ();
  return 0;
}
