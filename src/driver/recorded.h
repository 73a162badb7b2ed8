/* The files that a recording left: run.omen, and run.omen.PID beside it.

     omen_recorded_clear ("run.omen", &err);       before
     …
     omen_recorded_find (&files, "run.omen");      after: their names
     omen_recorded_count (&totals, "run.omen");    what is in one

   Looks at the headers of chunks only; a file that was cut short is fine. */
#ifndef OMEN_DRIVER_RECORDED_H
#define OMEN_DRIVER_RECORDED_H

#include "base/err.h"
#include "base/vec.h"

typedef OMEN_VEC (char *) omen_recorded_files;

typedef struct omen_recorded {
  uint64_t notes, threads, bytes;
  uint64_t exact, loose; /* which process: omen_file_process; 0: unknown */
  bool complete;         /* has its end */
  omen_recorded_files modules; /* program and libraries, by path */
} omen_recorded;

/* Remove what an earlier recording left. False if one of the names belongs to
   something that is no trace: it stays. */
bool omen_recorded_clear (const char *output, omen_err *err);

/* Names of traces, the first process's first; each is to be omen_freed. */
void omen_recorded_find (omen_recorded_files *files, const char *output);
void omen_recorded_files_fini (omen_recorded_files *files);

/* False if there is no such trace. */
bool omen_recorded_count (omen_recorded *recorded, const char *path);
void omen_recorded_fini (omen_recorded *recorded);
/* Is there such a trace, and has it no end? */
bool omen_recorded_is_cut (const char *path);

#endif
