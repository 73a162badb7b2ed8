#include "report/because.h"
#include "report/pairs.h"
#include "base/print.h"
#include "report/words.h"
#include "witness/lifetime.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

/* Longer schedules are shortened: at the beginning, where they are as observed,
   else in the middle. */
#define RUNS_SHOWN 12u

static const char *
misuse_sentence (unsigned word)
{
  static const char *const texts[]
      = { "taken twice by one thread",
          "released by a thread that does not hold it", "destroyed while held",
          "waited on without its lock", "held at thread exit" };
  OMEN_REQUIRE (word < OMEN_COUNT (texts));
  return texts[word];
}

static void
atomicity_headline (const omen_reporter *reporter, const omen_finding *finding,
                    FILE *out)
{
  if (finding->blame.count)
    omen_print (out, "%s is not atomic",
                omen_reporter_block (reporter->trace, finding->blame.data[0]));
  else
    fputs ("a block is not atomic", out);
  fputs (finding->pattern ? ": " : " by its locks: ", out);
  omen_pair_headline (reporter, finding, out);
}

/* Has every other thread ended, or not begun? */
static bool
are_all_left (const omen_trace *trace, const omen_finding *finding)
{
  const omen_ids *sigma = &finding->witness.sequence;
  const omen_ids *events = &finding->witness.claim.events;
  uint32_t *done = omen_zalloc (trace->threads.count + 1, sizeof *done);
  bool all = true;
  for (size_t i = 0; i < sigma->count; i++)
    done[omen_trace_event (trace, sigma->data[i])->thread]++;
  for (size_t i = 0; i < events->count; i++)
    done[omen_trace_event (trace, events->data[i])->thread] = OMEN_NONE;
  for (omen_tid t = 0; t < trace->threads.count; t++)
    all = all
          && (!done[t] || done[t] == OMEN_NONE
              || done[t] == trace->threads.data[t].count);
  omen_free (done);
  return all;
}

static bool
has_lost_wakeup (const omen_trace *trace, const omen_finding *finding)
{
  const omen_ids *events = &finding->witness.claim.events;
  for (size_t i = 0; i < events->count; i++)
    if (omen_because_of (trace, finding, events->data[i]).lost)
      return true;
  return false;
}

static void
deadlock_headline (const omen_trace *trace, const omen_finding *finding,
                   FILE *out)
{
  size_t count = finding->witness.claim.events.count;
  if (finding->witness.claim.kind != OMEN_CLAIM_STUCK) {
    omen_print (out, "deadlock of %zu threads", count);
    return;
  }
  if (!are_all_left (trace, finding))
    omen_print (out, "deadlock: %zu thread%s forever", count,
                count == 1 ? " waits" : "s wait");
  else if (count == 1)
    fputs ("deadlock: the only thread left waits forever", out);
  else
    omen_print (out, "deadlock: all %zu threads wait forever", count);
  if (has_lost_wakeup (trace, finding))
    fputs (" (lost wakeup)", out);
}

/* "UnsafeIter: match (ere) for c=0x1, i=0x2" */
static void
property_headline (const omen_about *about, FILE *out)
{
  OMEN_REQUIRE (about);
  omen_print (out, "property %s: %s", about->property, about->category);
  if (about->logic)
    omen_print (out, " (%s)", about->logic);
  for (size_t i = 0; i < about->binding.count; i++)
    omen_print (out, "%s %s=%s", i ? "," : " for", about->binding.data[i].name,
                about->binding.data[i].value);
}

static const char *
place_shown (const omen_reporter *reporter, const omen_finding *finding,
             char name[OMEN_PART_NAME_MAX])
{
  const omen_trace *trace = reporter->trace;
  const omen_ids *events = &finding->witness.claim.events;
  const char *variable = omen_reporter_subject (reporter, finding);
  size_t count = finding->kind == OMEN_FINDING_RACE ? 2 : 1;
  if (finding->kind == OMEN_FINDING_LIFETIME)
    return omen_part_name (
        trace,
        &trace->places.data[omen_trace_event (trace, events->data[1])->object],
        name);
  for (size_t i = 0; i < count; i++) {
    const omen_event *event = omen_trace_event (trace, events->data[i]);
    char other[OMEN_PART_NAME_MAX];
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_PLACE)
      return variable;
    omen_part_name (trace, &trace->places.data[event->object],
                    i ? other : name);
    if (i && strcmp (name, other))
      return variable;
  }
  return name;
}

const char *
omen_words_subject (const omen_reporter *reporter, const omen_finding *finding,
                    char part[OMEN_PART_NAME_MAX])
{
  return finding->kind == OMEN_FINDING_RACE
                 || finding->kind == OMEN_FINDING_NONDET
                 || finding->kind == OMEN_FINDING_LIFETIME
             ? place_shown (reporter, finding, part)
             : omen_reporter_subject (reporter, finding);
}

static void
lifetime_headline (const omen_trace *trace, const omen_finding *finding,
                   const char *subject, FILE *out)
{
  const char *words[2];
  omen_lifetime_headline (omen_lifetime_of (trace, &finding->witness.claim),
                          words);
  omen_print (out, "%s%s%s", words[0], subject, words[1]);
}

void
omen_words_headline (const omen_reporter *reporter, const omen_finding *finding,
                     FILE *out)
{
  char part[OMEN_PART_NAME_MAX];
  const char *subject = omen_words_subject (reporter, finding, part);
  OMEN_REQUIRE (
      finding->status
      != OMEN_STATUS_PREDICTED); /* predicted findings are verified first */
  OMEN_REQUIRE (finding->kind < OMEN_FINDINGS);
  switch (finding->kind) {
  case OMEN_FINDING_RACE:
    omen_print (out, "race on %s%s", subject,
                finding->witness.claim.kind == OMEN_CLAIM_RACE_ORDER
                    ? " by order"
                    : "");
    break;
  case OMEN_FINDING_LIFETIME:
    lifetime_headline (reporter->trace, finding, subject, out);
    break;
  case OMEN_FINDING_DEADLOCK:
    deadlock_headline (reporter->trace, finding, out);
    break;
  case OMEN_FINDING_ATOMICITY:
    atomicity_headline (reporter, finding, out);
    break;
  case OMEN_FINDING_NONDET:
    if (finding->witness.claim.kind == OMEN_CLAIM_FINAL) {
      omen_print (out, "nondeterministic final value of %s", subject);
      break;
    }
    omen_print (out, "nondeterministic read of %s, order %s", subject,
                omen_nondet_text (finding->witness.claim.word));
    break;
  case OMEN_FINDING_PROPERTY:
    property_headline (finding->witness.claim.about, out);
    break;
  case OMEN_FINDING_FAILURE:
    if (finding->ending)
      omen_print (out, "failure: %s", subject);
    else
      omen_print (out, "failure: the program dies of SIG%s (%s)", subject,
                  strsignal ((int)finding->signal));
    break;
  default:
    omen_print (out, "misuse of %s: %s", subject,
                misuse_sentence (finding->witness.claim.word));
    break;
  }
  if (finding->more.count)
    omen_print (out, ", and %zu more %s%s",
                finding->more.count + finding->left_out,
                finding->kind == OMEN_FINDING_ATOMICITY ? "pair" : "instance",
                finding->more.count + finding->left_out == 1 ? "" : "s");
  if (finding->more.count && finding->kind == OMEN_FINDING_ATOMICITY)
    fputs (" of accesses", out);
}

void
omen_words_severity (const omen_trace *trace, const omen_finding *finding,
                     FILE *out)
{
  omen_severity severity = omen_finding_severity (trace, finding);
  if (severity != OMEN_SEVERITY_ERROR)
    omen_print (out, "%s: ", omen_severity_text (severity));
}

static void
print_run (const omen_trace *trace, const omen_stretch *run, FILE *out)
{
  const char *name = omen_trace_thread_name (trace, run->thread);
  if (run->end - run->first == 1)
    omen_print (out, " %s[%u]", name, run->first);
  else
    omen_print (out, " %s[%u..%u]", name, run->first, run->end - 1);
}

/* How many slices at the start of the schedule are as in the trace. */
static size_t
runs_as_observed (const omen_reporter *reporter, const omen_finding *finding)
{
  size_t events = omen_witness_observed (&finding->witness), runs = 0;
  for (; runs < reporter->schedule.count; runs++) {
    const omen_stretch *run = &reporter->schedule.data[runs];
    if (events < run->end - run->first)
      break;
    events -= run->end - run->first;
  }
  return runs;
}

/* Print slices [from, to); if there are too many, the first and last ones. */
static void
print_runs (const omen_reporter *reporter, size_t from, size_t to, FILE *out)
{
  size_t half = RUNS_SHOWN / 2, many = to - from > RUNS_SHOWN ? half : 0;
  for (size_t i = from; i < to; i++) {
    if (many && i == from + many) {
      omen_print (out, " … (%zu run%s) …", to - from - RUNS_SHOWN,
                  omen_s (to - from - RUNS_SHOWN));
      i = to - half;
    }
    print_run (reporter->trace, &reporter->schedule.data[i], out);
  }
}

/* Leaves out most of the beginning if it is as observed. */
void
omen_words_schedule (omen_reporter *reporter, const omen_finding *finding,
                     FILE *out)
{
  size_t count, observed, skipped = 0;
  omen_reporter_schedule (reporter, &finding->witness.sequence);
  count = reporter->schedule.count;
  observed = runs_as_observed (reporter, finding);
  if (count > RUNS_SHOWN && observed > RUNS_SHOWN / 2)
    skipped = observed - RUNS_SHOWN / 2;
  fputs (skipped && observed == count ? "schedule, as observed:" : "schedule:",
         out);
  if (skipped)
    omen_print (out, " … (%zu run%s%s) …", skipped, omen_s (skipped),
                observed == count ? "" : " as observed");
  print_runs (reporter, skipped, count, out);
  fputs (count ? "" : " (from the start)", out);
}

static void
print_sight (const omen_trace *trace, const omen_eid *events, FILE *out)
{
  char name[OMEN_EVENT_NAME_MAX];
  omen_print (out, ", in which %s sees ",
              omen_trace_event_name (trace, events[0], name));
  omen_print (out, "%s",
              events[1] == OMEN_NONE
                  ? "the initial value"
                  : omen_trace_event_name (trace, events[1], name));
}

void
omen_words_outcome (const omen_trace *trace, const omen_finding *finding,
                    FILE *out)
{
  const omen_ids *events = &finding->witness.claim.events;
  char name[OMEN_EVENT_NAME_MAX];
  if (finding->witness.claim.kind == OMEN_CLAIM_RACE_ORDER) {
    fputs (", in which nothing orders the two", out);
    return;
  }
  if (finding->kind == OMEN_FINDING_FAILURE) {
    omen_print (out, ", of which %s is the last that it does",
                omen_trace_event_name (trace, events->data[0], name));
    return;
  }
  if (finding->kind == OMEN_FINDING_ATOMICITY) {
    fputs (", in which these come in this order", out);
    return;
  }
  if (finding->witness.claim.kind == OMEN_CLAIM_FINAL) {
    omen_print (out, ", in which %s is the last write",
                omen_trace_event_name (trace, events->data[0], name));
    return;
  }
  if (finding->kind == OMEN_FINDING_NONDET) {
    print_sight (trace, events->data, out);
    return;
  }
  if (finding->kind == OMEN_FINDING_PROPERTY) {
    omen_print (out, ", in which it is %s at %s",
                finding->witness.claim.about->category,
                omen_trace_event_name (trace, OMEN_VEC_LAST (*events), name));
    return;
  }
  if (finding->kind == OMEN_FINDING_LIFETIME) {
    omen_print (
        out, ", then %s %s",
        omen_trace_event_name (trace, events->data[1], name),
        omen_lifetime_use (omen_lifetime_of (trace, &finding->witness.claim)));
    return;
  }
  if (finding->seen) {
    fputs (", where the run ends", out);
    return;
  }
  fputs (", then ", out);
  for (size_t i = 0; i < events->count; i++)
    omen_print (out, "%s%s", i ? ", " : "",
                omen_trace_event_name (trace, events->data[i], name));
  fputs (finding->witness.claim.kind == OMEN_CLAIM_STUCK
             ? events->count == 1 ? " waits forever" : " wait forever"
         : finding->kind == OMEN_FINDING_DEADLOCK ? " block each other"
         : events->count == 1                     ? " is next"
                                                  : " are both next",
         out);
}

void
omen_words_replay (const omen_trace *trace, const char *witness_dir,
                   unsigned number, FILE *out)
{
  char file[4096 + 16];
  OMEN_REQUIRE (trace->program != OMEN_NONE);
  snprintf (file, sizeof file, "%.4095s/%u", witness_dir, number);
  fputs ("omen replay ", out);
  omen_print_word (out, file, strlen (file));
  fputs (" -- ", out);
  omen_print_words (out, omen_names_text (&trace->strings, trace->program));
}

void
omen_words_said (const omen_finding *finding, const char *margin, FILE *out)
{
  for (const char *at = finding->said ? finding->said : ""; *at;) {
    int length = (int)strcspn (at, "\n");
    omen_print (out, "%s%.*s\n", margin, length, at);
    at += length + (at[length] == '\n');
  }
}

json_t *
omen_words_text_n (const char *text, size_t length)
{
  json_t *string = json_stringn (text, length);
  omen_line line = { 0 };
  if (string)
    return string;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] < 0x80)
      OMEN_VEC_PUSH (line, text[i]);
    else {
      OMEN_VEC_PUSH (line, '\xef');
      OMEN_VEC_PUSH (line, '\xbf');
      OMEN_VEC_PUSH (line, '\xbd');
    }
  string = json_stringn (line.data ? line.data : "", line.count);
  OMEN_VEC_FINI (line);
  return string;
}

json_t *
omen_words_text (const char *text)
{
  return omen_words_text_n (text, strlen (text));
}

FILE *
omen_printed_open (omen_printed *p)
{
  *p = (omen_printed){ 0 };
  p->file = open_memstream (&p->text, &p->size);
  OMEN_CHECK (p->file);
  return p->file;
}

json_t *
omen_printed_close (omen_printed *p)
{
  json_t *string;
  fclose (p->file);
  string = omen_words_text_n (p->text, p->size);
  free (p->text);
  return string;
}

json_t *
omen_words_headline_json (const omen_reporter *reporter,
                          const omen_finding *finding)
{
  omen_printed p;
  omen_words_headline (reporter, finding, omen_printed_open (&p));
  return omen_printed_close (&p);
}

/* Explains the order of a nondeterministic read. */
const char *
omen_words_order (const omen_finding *finding)
{
  static const char *const texts[]
      = { "wcr: the write that it saw comes first, then another write, and the "
          "read sees that one",
          "crw: another write comes first, then the read, and the write that "
          "it saw only after it",
          "cr: another write comes first, then the read; the write that it saw "
          "does not come at all before that" };
  const omen_claim *claim = &finding->witness.claim;
  if (finding->kind != OMEN_FINDING_NONDET || claim->kind == OMEN_CLAIM_FINAL)
    return NULL;
  OMEN_REQUIRE (claim->word < OMEN_COUNT (texts));
  return texts[claim->word];
}

json_t *
omen_words_sentence_json (omen_reporter *reporter, const omen_finding *finding)
{
  size_t steps = finding->witness.sequence.count;
  omen_printed p;
  FILE *out = omen_printed_open (&p);
  omen_reporter_schedule (reporter, &finding->witness.sequence);
  size_t runs = reporter->schedule.count;
  omen_print (out, "%zu event%s in %zu run%s (%zu context switch%s)%s", steps,
              omen_s (steps), runs, omen_s (runs), runs ? runs - 1 : 0,
              omen_es (runs ? runs - 1 : 0),
              steps && omen_witness_observed (&finding->witness) == steps
                  ? ", in the order of the observed run"
                  : "");
  omen_words_outcome (reporter->trace, finding, out);
  fputc ('.', out);
  if (omen_words_order (finding))
    omen_print (out, " %s.", omen_words_order (finding));
  if (finding->note)
    omen_print (out, " %s.", finding->note);
  if (finding->outcome)
    omen_print (out, " Replay: %s.", finding->outcome);
  return omen_printed_close (&p);
}
