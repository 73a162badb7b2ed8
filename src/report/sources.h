/* Private to report/: lines of the program's source around places of interest.

     omen_sources sources = { 0 };
     omen_sources_want (&sources, "bank.c:12", 6);      lines 6 to 18
     omen_sources_write (&sources, out);                {"bank.c":{"6":"…",…}}
     omen_sources_fini (&sources);

   Files that cannot be read, or are no text, are left out: a report is as good
   as what is there. Cost: each file is read once, up to 8 MB. */
#ifndef OMEN_REPORT_SOURCES_H
#define OMEN_REPORT_SOURCES_H

#include "base/names.h"
#include "base/vec.h"

#include <stdio.h>

typedef struct omen_source_range {
  uint32_t file, first, last;
} omen_source_range;

typedef struct omen_sources {
  omen_names files;
  OMEN_VEC (omen_source_range) ranges;
} omen_sources;

void omen_sources_init (omen_sources *sources);
void omen_sources_fini (omen_sources *sources);
/* A location that is not file:line is nothing. */
void omen_sources_want (omen_sources *sources, const char *location,
                        unsigned around);
void omen_sources_write (omen_sources *sources, FILE *out);

/* A few lines around one, on their own. */
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

/* `around` lines to both sides, at most 7. False if there is nothing to show:
   no line, or a file that cannot be read. */
bool omen_excerpt_load (omen_excerpt *excerpt, const char *path, size_t length,
                        unsigned long line, unsigned around);
void omen_excerpt_fini (omen_excerpt *excerpt);

#endif
