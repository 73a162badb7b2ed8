/* What an exploration came to: for the reports, and as the last line. */
#include "driver/explore/session.h"
#include "driver/explore/session_state.h"
#include "base/print.h"
#include "report/words.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  unsigned word;
  const char *why;
} reasons[] = {
  { OMEN_LIMITED_ORDER,
    "libraries that are not woven, or locks that are used out of turn, kept "
    "the order that was observed" },
  { OMEN_LIMITED_INIT,
    "locks or semaphores are made while other threads use them" },
  { OMEN_LIMITED_STATES, "a run has too many threads and steps to look at all "
                         "orders of them" },
  { OMEN_LIMITED_OUTSIDE, "the program depends on more than its input and the "
                          "schedule" },
  { OMEN_LIMITED_DIVERGED, "a run diverged from its plan: the program "
                           "depends on more than the schedule" },
  { OMEN_LIMITED_ENDED, "a run took too long and was ended" },
  { OMEN_LIMITED_HELPED, "processes that the program starts, and handlers of "
                         "signals, go their own way" },
  { OMEN_LIMITED_CLOCK, "the program reads a clock" },
  { OMEN_LIMITED_RANDOM, "the program asks for random numbers" },
  { OMEN_LIMITED_IDS, "the program asks for the number of its process" },
  { OMEN_LIMITED_CUT, "a run ended before all of its threads had" },
  { OMEN_LIMITED_SPIN, "turns of loops that wait for others count as one" },
  { OMEN_LIMITED_PROPERTY,
    "whether a property can be violated in another order "
    "of a run was not decided" },
  { OMEN_LIMITED_UNREAD, "a recording could not be used" },
  { OMEN_LIMITED_PART,
    "a run is recorded in part: there was no room for more" },
};

json_t *
omen_session_shown (const omen_session *s)
{
  json_t *curve = json_array (), *failing = json_array (), *why = json_array ();
  for (size_t i = 0; i < s->curve.count; i++) {
    const omen_curve_point *p = &s->curve.data[i];
    json_array_append_new (curve, json_pack ("[I,I,I,I]", (json_int_t)p->run,
                                             (json_int_t)p->behaviours,
                                             (json_int_t)p->pairs,
                                             (json_int_t)p->failures));
  }
  for (size_t i = 0; i < s->failures.count; i++) {
    const omen_failed *f = &s->failures.data[i];
    json_t *its
        = json_pack ("{s:o,s:I,s:I}", "how", omen_words_text (f->how), "first",
                     (json_int_t)f->first, "count", (json_int_t)f->count);
    char *path
        = f->kept == OMEN_NONE ? NULL : omen_check_trace (s->check, f->kept);
    if (path)
      json_object_set_new (its, "trace", json_string (strrchr (path, '/') + 1));
    omen_free (path);
    json_array_append_new (failing, its);
  }
  for (size_t i = 0; i < OMEN_COUNT (reasons); i++)
    if (s->result->limits & reasons[i].word)
      json_array_append_new (why, json_string (reasons[i].why));
  return json_pack ("{s:s,s:I,s:I,s:I,s:I,s:o,s:o,s:o}", "ending",
                    omen_explore_complete (s->result) ? "complete"
                    : s->result->stopped              ? "budget"
                                                      : "limited",
                    "runs", (json_int_t)s->result->runs, "behaviours",
                    (json_int_t)s->result->behaviours, "pairs",
                    (json_int_t)s->result->pairs, "failures",
                    (json_int_t)s->result->failures, "limits", why, "curve",
                    curve, "failing", failing);
}

bool
omen_explore_complete (const omen_explore_result *r)
{
  return !r->limits && !r->stopped;
}

void
omen_explore_print (const omen_explore_result *r, FILE *out)
{
  const char *separator = " (";
  if (omen_explore_complete (r)) {
    omen_print (out,
                "omen: complete: all %" PRIu64 " behaviour%s of this input, ",
                r->behaviours, r->behaviours == 1 ? "" : "s");
    if (r->failures)
      omen_print (out, "%" PRIu64 " of them fail%s", r->failures,
                  r->failures == 1 ? "s" : "");
    else
      fputs ("none fails", out);
    omen_print (out, "; %" PRIu64 " run%s\n", r->runs, r->runs == 1 ? "" : "s");
    return;
  }
  omen_print (out,
              "omen: %s: %" PRIu64 " run%s, %" PRIu64 " behaviour%s, %" PRIu64
              " pair%s covered, the last new one at run %" PRIu64,
              r->stopped ? "budget" : "limited", r->runs, omen_s (r->runs),
              r->behaviours, omen_s (r->behaviours), r->pairs,
              omen_s (r->pairs), r->last_new);
  for (size_t i = 0; i < OMEN_COUNT (reasons); i++)
    if (r->limits & reasons[i].word) {
      omen_print (out, "%s%s", separator, reasons[i].why);
      separator = "; ";
    }
  fputs (*separator == ';' ? ")\n" : "\n", out);
}
