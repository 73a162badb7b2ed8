/* Any bytes as findings.json: refused with a reason, or a report in every form.
   The trace "t" and the witnesses "1" and "2" beside it are good. */
#include "fuzz.h"

#include "base/mem.h"
#include "load/load.h"
#include "report/read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "/tmp/fuzz-findings.XXXXXX";
static char here[sizeof folder];

static void
put (const char *name, const void *bytes, size_t size)
{
  char path[sizeof folder + 32];
  snprintf (path, sizeof path, "%s/%s", here, name);
  FILE *file = fopen (path, "we");
  OMEN_REQUIRE (file && (!size || fwrite (bytes, size, 1, file) == 1));
  fclose (file);
}

static void
clean_up (void)
{
  static const char *const names[] = { "t", "1", "2", "f" };
  for (size_t i = 0; i < OMEN_COUNT (names); i++) {
    char path[sizeof folder + 32];
    snprintf (path, sizeof path, "%s/%s", here, names[i]);
    unlink (path);
  }
  rmdir (here);
}

static void
put_witness (const char *name, const omen_trace *trace, const char *rest)
{
  char text[256];
  int size
      = snprintf (text, sizeof text, "omen-witness 1\ntrace %016llx %zu\n%s",
                  (unsigned long long)omen_trace_identity (trace),
                  trace->events.count, rest);
  put (name, text, (size_t)size);
}

static void
prepare (void)
{
  static const char traced[] = "T1|enter(f)|a.c:1\nT1|w(x=1)|a.c:3\n"
                               "T2|acq(m)|b.c:1\nT2|w(x=2)|a.c:9\n"
                               "T2|rel(m)|b.c:2\nT1|exit(f)|\n";
  char path[sizeof folder + 32];
  omen_err err = { 0 };
  memcpy (here, folder, sizeof folder);
  OMEN_REQUIRE (mkdtemp (here));
  atexit (clean_up);
  put ("t", traced, sizeof traced - 1);
  snprintf (path, sizeof path, "%s/t", here);
  omen_trace *trace = omen_load (path, NULL, &err);
  OMEN_REQUIRE (trace);
  put_witness ("1", trace,
               "model rf\nclaim race 1 3\nrun T1 0 1\nrun T2 0 1\nend\n");
  put_witness ("2", trace, "model value\nclaim nondet 1 -1 cr\nend\n");
  omen_trace_free (trace);
}

static void
write_forms (const omen_report *report)
{
  char *text;
  size_t size;
  omen_err err = { 0 };
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out);
  OMEN_ASSERT (omen_report_html (report, out, &err));
  OMEN_ASSERT (omen_report_sarif (report, out, &err));
  for (size_t i = 0; i < report->count; i++) {
    omen_reporter *reporter = omen_reporter_new (report->runs[i].trace);
    for (size_t k = 0; k < report->runs[i].findings->count; k++)
      omen_report_text (reporter, &report->runs[i].findings->data[k], 1, out);
    omen_reporter_free (reporter);
  }
  fclose (out);
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char path[sizeof folder + 32];
  omen_report_file file;
  omen_err err = { 0 };
  if (!*here)
    prepare ();
  put ("f", data, size);
  snprintf (path, sizeof path, "%s/f", here);
  if (omen_report_read (&file, path, &err)) {
    write_forms (&file.report);
    omen_report_file_fini (&file);
  } else
    OMEN_ASSERT (err.what[0]);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
