/* Private to report/: lines of source around locations.

     omen_sources_init (&sources, trace, paths);
     omen_sources_want (&sources, "bank.c:12", 6);      lines 6 to 18
     omen_sources_write (&sources, out);                {"bank.c":{"6":"…",…}}
     omen_sources_fini (&sources);

   Files that are not found (finder.h), not readable, or not text are left out.
   Cost: each file is read once, up to 8 MB. */
#ifndef OMEN_REPORT_SOURCES_H
#define OMEN_REPORT_SOURCES_H

#include "report/report.h"

typedef struct omen_source_range {
  uint32_t file, first, last;
} omen_source_range;

typedef struct omen_source_lines {
  const omen_trace *trace;
  const omen_source_paths *paths;
  omen_names files;
  OMEN_VEC (omen_source_range) ranges;
} omen_source_lines;

void omen_sources_init (omen_source_lines *sources, const omen_trace *trace,
                        const omen_source_paths *paths);
void omen_sources_fini (omen_source_lines *sources);
/* Ignores locations that are not file:line. */
void omen_sources_want (omen_source_lines *sources, const char *location,
                        unsigned around);
void omen_sources_write (omen_source_lines *sources, FILE *out);

/* A few lines around a single one. */
typedef struct omen_excerpt_line {
  const char *text;
  size_t length;
} omen_excerpt_line;
typedef struct omen_excerpt {
  unsigned long first;
  size_t count;
  omen_excerpt_line lines[16];
  char *content;
} omen_excerpt;

/* Loads `around` lines on both sides of file:line, at most 7. False if there is
   no line, or the file cannot be read. */
bool omen_excerpt_load (omen_excerpt *excerpt, const omen_trace *trace,
                        const omen_source_paths *paths, const char *location,
                        unsigned around);
void omen_excerpt_fini (omen_excerpt *excerpt);

#endif
