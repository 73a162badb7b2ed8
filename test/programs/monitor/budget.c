/* A counter: what is taken may not be more than what was given, plus two. */
#include <omen-monitor.h>
#include <string.h>

typedef struct purse {
  int left, low;
} purse;

static void
init (void *state)
{
  ((purse *)state)->left = 2;
}

static void
step (void *state, const omen_step *event)
{
  purse *p = state;
  p->left += strcmp (event->name, "take") ? 1 : -1;
  p->low = p->left == 0;
}

static const char *
verdict (const void *state)
{
  const purse *p = state;
  return p->left < 0 ? "broke" : p->low ? "low" : NULL;
}

static const omen_own_monitor omen_monitor
    = { sizeof (purse), init, step, verdict };
