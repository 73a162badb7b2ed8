#include "driver/watch/report.h"
#include "base/print.h"

#include <stdio.h>
#include <string.h>

static const char *
location_of_finding (const omen_trace *trace, const omen_finding *f)
{
  return omen_trace_location (trace, OMEN_VEC_LAST (f->witness.claim.events));
}

void
omen_watch_report_key (char key[OMEN_REPORT_TEXT], const char *path,
                       const omen_trace *trace, const omen_finding *f)
{
  const omen_claim *claim = &f->witness.claim;
  snprintf (key, OMEN_REPORT_TEXT, "%.800s\n%.200s\n%u\n%.100s\n%.500s", path,
            claim->about->property, claim->word, claim->about->category,
            location_of_finding (trace, f));
}

void
omen_watch_report_make (omen_watch_report *r, const char *path, bool first,
                        int pid, const omen_trace *trace, const omen_finding *f)
{
  const omen_about *about = f->witness.claim.about;
  char process[40] = "";
  memset (r, 0, sizeof *r);
  r->pid = pid;
  omen_watch_report_key (r->key, path, trace, f);
  snprintf (r->property, sizeof r->property, "%.200s", about->property);
  snprintf (r->category, sizeof r->category, "%.100s", about->category);
  snprintf (r->location, sizeof r->location, "%.500s",
            location_of_finding (trace, f));
  size_t used = 0;
  r->binding[0] = 0;
  for (size_t i = 0; i < about->binding.count && used < OMEN_REPORT_TEXT - 300;
       i++)
    used += (size_t)snprintf (r->binding + used, OMEN_REPORT_TEXT - used,
                              "%s%.100s=%.150s", i ? ", " : "",
                              about->binding.data[i].name,
                              about->binding.data[i].value);
  if (!first)
    snprintf (process, sizeof process, " [process %d]", pid);
  snprintf (r->line, sizeof r->line,
            "property %s: another order of the events so far reaches %s "
            "(%.50s) at %s%s%.1000s%s",
            r->property, r->category, about->logic, r->location,
            *r->binding ? ", for " : "", r->binding, process);
}

void
omen_watch_report_tell (const omen_watch_report *r, omen_watch_action *action)
{
  omen_action_call call = omen_action_begin (r->pid, r->line, "property");
  omen_print (stderr, "omen: %s\n", r->line);
  omen_action_set (&call, "OMEN_PROPERTY", r->property);
  omen_action_set (&call, "OMEN_CATEGORY", r->category);
  omen_action_set (&call, "OMEN_BINDING", r->binding);
  omen_action_set (&call, "OMEN_LOCATION", r->location);
  omen_action_add (action, &call);
}
