#include "driver/check/state.h"
#include "driver/check/turns.h"
#include "driver/fold.h"
#include "driver/recorded.h"
#include "driver/replay/replaying.h"

#include <string.h>

/* Time limit of a replay that continues after its schedule, when the claim may
   have been shown already. */
#define ON_SECONDS 5.0

/* Does the replay continue after the claim, which may show something new? Not
   if runs take long, or if the claim is about the end of the run. */
static bool
goes_on (const omen_check *c, const omen_finding *finding)
{
  return c->again_left > 0 && c->took < 1 && !c->request->record.limit_ms
         && (finding->kind == OMEN_FINDING_RACE
             || finding->kind == OMEN_FINDING_ATOMICITY
             || finding->kind == OMEN_FINDING_NONDET);
}

/* Returns false if the replay could not be made, or was cut off by a limit. */
static bool
run_replay (omen_check *c, omen_recording *recording, omen_replay *replay,
            double limit, omen_err *err)
{
  double before = omen_now ();
  bool all = limit < c->confirm_left;
  replay->limit_ms = (uint64_t)((all ? limit : c->confirm_left) * 1000) + 1;
  omen_check_rewind (c);
  omen_free (replay->said);
  replay->said = NULL;
  bool tried = omen_replay_run (replay, recording, err);
  c->confirm_left -= omen_now () - before;
  c->status = recording->run.ended_by_us ? 0 : recording->run.status;
  return tried && !*c->stop
         && (all || replay->judgement.confirmed || !recording->run.ended_by_us);
}

static void
try_one (omen_check *c, omen_recording *recording, const omen_checked *checked,
         const omen_origin *origin, omen_finding *finding)
{
  omen_err err = { 0 };
  char *path = omen_check_trace (c, c->made);
  bool on = goes_on (c, finding), tried;
  omen_replay replay
      = { .trace = checked->trace,
          .witness = &finding->witness,
          .origin = origin,
          .specs = &c->request->specs,
          .starts_others = recording->program.kind == OMEN_PROGRAM_OTHER,
          .then = on ? "serial" : "exit",
          .output = path,
          .program = c->request->record.program,
          .spin_limit_ms = c->spin_limit_ms,
          .silent = true };
  bool unverified = finding->status == OMEN_STATUS_UNVERIFIED;
  OMEN_REQUIRE ((finding->status == OMEN_STATUS_VERIFIED || unverified)
                && !finding->trace);
  tried = run_replay (c, recording, &replay,
                      on ? ON_SECONDS : (double)c->confirm_ms / 1000, &err);
  if (tried && on && recording->run.ended_by_us
      && !replay.judgement.confirmed) {
    c->again_left = 0; /* it might not end the next time, either */
    replay.then = "exit";
    tried = run_replay (c, recording, &replay, (double)c->confirm_ms / 1000,
                        &err);
  }
  if (tried && replay.judgement.confirmed) {
    finding->status = OMEN_STATUS_CONFIRMED;
    if (unverified) { /* it is certain now */
      omen_free (finding->note);
      finding->note = NULL;
    }
  } else if (tried && !unverified)
    finding->status = OMEN_STATUS_DIVERGED;
  if (finding->kind == OMEN_FINDING_LIFETIME
      && finding->status == OMEN_STATUS_CONFIRMED && !finding->said) {
    finding->said = replay.said;
    replay.said = NULL;
  }
  omen_free (replay.said);
  if (tried || err.set) {
    omen_free (finding->outcome);
    finding->outcome = omen_strdup (tried ? replay.judgement.text : err.what);
  }
  omen_free (path);
}

/* How many instances, and alternatives of the first one, are tried until one is
   confirmed. */
enum { INSTANCES_TRIED = 4, SPARES_TRIED = 3 };

static bool
is_same_place (omen_reporter *reporter, const omen_finding *a,
               const omen_finding *b)
{
  char *one = omen_report_place (reporter, a);
  char *two = omen_report_place (reporter, b);
  bool same = !strcmp (one, two);
  omen_free (one);
  omen_free (two);
  return same;
}

/* Try verified alternatives of the finding; if one is confirmed, the finding
   gets its witness. */
static void
try_spares (omen_check *c, omen_recording *recording,
            const omen_checked *checked, const omen_origin *origin,
            omen_finding *finding)
{
  omen_reporter *reporter = omen_reporter_new (checked->trace);
  unsigned tried = 0;
  for (size_t i = 0; i < checked->spares.count && tried < SPARES_TRIED; i++) {
    omen_finding *spare = &checked->spares.data[i];
    if (spare->status != OMEN_STATUS_VERIFIED
        || !is_same_place (reporter, finding, spare))
      continue;
    try_one (c, recording, checked, origin, spare);
    tried++;
    if (spare->status != OMEN_STATUS_CONFIRMED)
      continue;
    omen_witness witness = finding->witness;
    finding->witness = spare->witness;
    spare->witness = witness;
    finding->status = spare->status;
    omen_free (finding->outcome);
    finding->outcome = spare->outcome;
    spare->outcome = NULL;
    omen_free (finding->said);
    finding->said = spare->said;
    spare->said = NULL;
    break;
  }
  omen_reporter_free (reporter);
}

/* Try a finding and its instances; a confirmed instance becomes the lead. */
static void
confirm_one (omen_check *c, omen_recording *recording,
             const omen_checked *checked, const omen_origin *origin,
             omen_finding *finding)
{
  unsigned tried = 1;
  try_one (c, recording, checked, origin, finding);
  if (finding->status == OMEN_STATUS_DIVERGED)
    try_spares (c, recording, checked, origin, finding);
  for (size_t k = 0; k < finding->more.count && tried < INSTANCES_TRIED
                     && finding->status != OMEN_STATUS_CONFIRMED;
       k++) {
    omen_finding *pair = &finding->more.data[k];
    if (pair->trace)
      continue; /* of another run */
    try_one (c, recording, checked, origin, pair);
    tried++;
    if (pair->status == OMEN_STATUS_CONFIRMED)
      omen_fold_lead (finding, k + 1);
  }
}

/* Analyse the recording of a replay like any other run, while there is time. */
static bool
look_at_replay (omen_check *c, int *code)
{
  size_t before = c->traces.count;
  double start = omen_now (), timeout = c->job.options.timeout;
  bool ok = true;
  if (c->again_left > 0 && !*c->stop) {
    c->replaying = true;
    c->job.options.timeout = c->again_left / 4; /* for each kind of question */
    ok = omen_check_look (c, c->made, code);
    c->job.options.timeout = timeout;
    c->replaying = false;
    c->again_left -= omen_now () - start;
  }
  /* drop traces without new findings, and their files */
  bool new = false;
  char *path = omen_check_trace (c, c->made);
  omen_err err = { 0 };
  for (size_t i = before; i < c->traces.count; i++)
    new = new || c->traces.data[i].findings.count;
  while (!new && c->traces.count > before)
    omen_checked_fini (&c->traces.data[--c->traces.count]);
  if (new)
    c->made++;
  else
    omen_recorded_clear (path, &err);
  omen_free (path);
  return ok;
}

static bool
confirm (omen_check *c, omen_recording *recording, int *code)
{
  omen_confirm_turns turns = { 0 };
  bool ok = true;
  omen_turns_find (&turns, &c->traces);
  if (turns.count)
    omen_progress_phase (&c->progress, "confirming %zu finding%s", turns.count,
                         omen_s (turns.count));
  c->progress.large = false;
  for (size_t i = 0; ok && i < turns.count && !*c->stop; i++) {
    const omen_confirm_turn *turn = &turns.data[i];
    const omen_checked *checked = &c->traces.data[turn->trace];
    omen_origin origin;
    if (c->confirm_left <= 0)
      break;
    omen_progress_count (&c->progress, "confirming", i, turns.count);
    omen_origin_find (&origin, checked->path);
    confirm_one (c, recording, checked, &origin,
                 &checked->findings.data[turn->finding]);
    ok = look_at_replay (c, code);
    omen_check_print (c, false);
    omen_check_save (c, false);
  }
  omen_progress_clear (&c->progress);
  OMEN_VEC_FINI (turns);
  return ok;
}

/* Minimum time to analyse the recording of a trial. */
#define TRIAL_SECONDS 2.0

/* If the events of a trial came in the required order, with whatever values,
   the recording is a run in which the finding can be found and verified. */
static bool
try_trial (omen_check *c, omen_recording *recording,
           const omen_checked *checked, omen_finding *trial, int *code)
{
  omen_origin origin;
  double left = c->again_left;
  bool seen, ok;
  omen_origin_find (&origin, checked->path);
  try_one (c, recording, checked, &origin, trial);
  seen = trial->status == OMEN_STATUS_CONFIRMED;
  c->again_left = !seen ? 0 : left > TRIAL_SECONDS ? left : TRIAL_SECONDS;
  ok = look_at_replay (c, code);
  c->again_left = left;
  return ok;
}

/* Was a finding verified at this place by now? */
static bool
is_known (omen_check *c, omen_reporter *reporter, const omen_finding *trial)
{
  char *place = omen_report_place (reporter, trial);
  bool known
      = omen_names_find (&c->job.places, place, strlen (place)) != OMEN_NONE;
  omen_free (place);
  return known;
}

static bool
try_all (omen_check *c, omen_recording *recording, int *code)
{
  size_t count = c->traces.count;
  bool ok = true;
  for (size_t k = 0; k < count; k++) {
    omen_reporter *reporter = omen_reporter_new (c->traces.data[k].trace);
    for (size_t i = 0; i < c->traces.data[k].trials.count; i++) {
      omen_checked checked = c->traces.data[k]; /* copy: the list may move */
      omen_finding *trial = &checked.trials.data[i];
      if (ok && !*c->stop && c->confirm_left > 0
          && !is_known (c, reporter, trial))
        ok = try_trial (c, recording, &checked, trial, code);
    }
    omen_reporter_free (reporter);
  }
  return ok;
}

/* Findings in recordings of replays are confirmed, too, but the recordings of
   those replays are not analysed. */
bool
omen_check_confirm (omen_check *c, omen_recording *recording, int *code)
{
  size_t before = c->traces.count;
  c->confirm_left = c->request->confirm_time;
  if (c->request->no_confirm || *c->stop)
    return true;
  bool ok = confirm (c, recording, code) && try_all (c, recording, code);
  if (ok && c->traces.count > before) {
    omen_check_fold (c);
    c->again_left = 0;
    ok = confirm (c, recording, code);
  }
  omen_confirm_turns turns = { 0 };
  omen_turns_find (&turns, &c->traces);
  c->untried = turns.count;
  OMEN_VEC_FINI (turns);
  return ok;
}
