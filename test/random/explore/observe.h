/* What the threads of a drawn program see, one record a run, in a file that all
   runs share. The functions are not woven: the trace has nothing of them. */
#ifndef OMEN_OBSERVE_H
#define OMEN_OBSERVE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  THREADS = 4,
  SEEN = 30,
  RUNS = 20000,
  UNBORN = 0, /* or else: 1 + the place of an operation that may block */
  ENDED = 254,
  ABORTED = 253,
};

struct record {
  struct {
    unsigned char at, count;
    signed char seen[SEEN];
  } thread[THREADS];
};

static struct {
  unsigned runs;
  struct record record[RUNS];
} *observed_file;
static struct record *observed;

#define NOT_WOVEN                                                              \
  __attribute__ ((noinline, disable_sanitizer_instrumentation,                 \
                  no_sanitize ("thread")))

NOT_WOVEN static void
observe_open (const char *path)
{
  int file = open (path, O_RDWR);
  if (file < 0)
    _exit (99);
  void *at = mmap (NULL, sizeof *observed_file, PROT_READ | PROT_WRITE,
                   MAP_SHARED, file, 0);
  if (at == MAP_FAILED)
    _exit (99);
  close (file);
  observed_file = at;
  unsigned run = __atomic_fetch_add (&observed_file->runs, 1, __ATOMIC_SEQ_CST);
  if (run >= RUNS)
    _exit (98);
  observed = &observed_file->record[run];
}

NOT_WOVEN static void
observe_at (int thread, int place)
{
  if (observed)
    observed->thread[thread].at = place >= ABORTED ? place : 1 + place;
}

NOT_WOVEN static void
observe (int thread, int value)
{
  if (!observed || observed->thread[thread].count >= SEEN)
    return;
  int i = observed->thread[thread].count;
  observed->thread[thread].seen[i] = (signed char)value;
  observed->thread[thread].count = i + 1;
}

#endif
