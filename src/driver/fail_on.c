#include "driver/fail_on.h"
#include "base/print.h"

bool
omen_fail_on_has (const omen_fail_on *on, const omen_trace *trace,
                  const omen_finding *finding)
{
  return on->kinds ? on->kinds >> finding->kind & 1
                   : omen_finding_severity (trace, finding) >= on->least;
}

void
omen_levels_add (omen_levels *levels, const omen_trace *trace,
                 const omen_finding *finding)
{
  levels->counts[omen_finding_severity (trace, finding)]++;
}

void
omen_levels_print (const omen_levels *levels, FILE *out)
{
  const char *before = " (";
  size_t all = 0;
  for (unsigned i = 0; i < OMEN_SEVERITIES; i++)
    all += levels->counts[i];
  omen_print (out, "%zu finding%s", all, omen_s (all));
  if (levels->counts[OMEN_SEVERITY_ERROR] == all)
    return;
  for (unsigned i = OMEN_SEVERITIES; i-- > 0;)
    if (levels->counts[i]) {
      omen_print (out, "%s%zu %s%s", before, levels->counts[i],
                  omen_severity_text (i), omen_s (levels->counts[i]));
      before = ", ";
    }
  fputc (')', out);
}
