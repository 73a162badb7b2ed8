/* The files of a recording: run.omen, and run.omen.PID of other processes.

     omen_recorded_clear ("run.omen", &err);       before
     …
     omen_recorded_find (&files, "run.omen");      after: their names
     omen_recorded_count (&totals, "run.omen");    what is in one

   Reads only the headers of chunks; files may be truncated. */
#ifndef OMEN_DRIVER_RECORDED_H
#define OMEN_DRIVER_RECORDED_H

#include "base/err.h"
#include "base/vec.h"

typedef OMEN_VEC (char *) omen_recorded_files;

typedef struct omen_recorded {
  uint64_t notes, threads, bytes;
  uint64_t exact, loose;       /* of omen_file_process; 0: unknown */
  bool complete;               /* has an end mark */
  omen_recorded_files modules; /* program and libraries, by path */
} omen_recorded;

/* Removes the files of an earlier recording. False if one of the names belongs
   to a file that is no trace, which is kept. */
bool omen_recorded_clear (const char *output, omen_err *err);

/* The paths of the traces, that of the first process first; each has to be
   freed. */
void omen_recorded_find (omen_recorded_files *files, const char *output);
void omen_recorded_files_fini (omen_recorded_files *files);

/* False if it is no readable trace. */
bool omen_recorded_count (omen_recorded *recorded, const char *path);
void omen_recorded_fini (omen_recorded *recorded);
/* Is it a trace without an end mark? */
bool omen_recorded_is_cut (const char *path);

#endif
