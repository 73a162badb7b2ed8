#include "base/limits.h"
#include "base/mem.h"

#define PROGRESS_EVERY 0.1 /* seconds between calls of `progress` */

omen_limits
omen_limits_in (double seconds, const omen_stop_flag *stop, size_t memory)
{
  size_t least = omen_mem_live () + memory / 20;
  omen_limits limits = { .deadline = omen_deadline_in (seconds, stop),
                         .memory = memory > least || !memory ? memory : least };
  omen_limits_begin (&limits, "", 1);
  return limits;
}

void
omen_limits_begin (omen_limits *limits, const char *what, double share)
{
  double now = omen_now (), left;
  size_t live = omen_mem_live ();
  OMEN_REQUIRE (share > 0 && share <= 1);
  if (!limits)
    return;
  left = limits->deadline.at - now;
  limits->what = what;
  limits->until = now + (left > 0 ? share * left : 0);
  limits->most = live;
  if (limits->memory > live)
    limits->most += (size_t)(share * (double)(limits->memory - live));
}

static omen_limit
limit_reached (const omen_limits *limits, double now)
{
  const omen_deadline *deadline = &limits->deadline;
  if (deadline->stop && *deadline->stop)
    return OMEN_LIMIT_STOP;
  if (deadline->at > 0 && now > limits->until)
    return OMEN_LIMIT_TIME;
  if (limits->memory && omen_mem_live () > limits->most)
    return OMEN_LIMIT_MEMORY;
  return OMEN_LIMIT_NONE;
}

bool
omen_limits_over (omen_limits *limits, uint64_t done, uint64_t all)
{
  double now;
  omen_limit limit;
  if (!limits)
    return false;
  now = omen_now ();
  if (limits->progress && now >= limits->reported + PROGRESS_EVERY) {
    limits->reported = now;
    limits->progress (limits->context, limits->what, done, all);
  }
  limit = limit_reached (limits, now);
  if (!limits->hit)
    limits->hit = limit;
  return limit != OMEN_LIMIT_NONE;
}
