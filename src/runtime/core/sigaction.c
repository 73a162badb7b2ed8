/* sigaction and its older kin. The program sets and sees its own actions; the
   kernel gets our handler. */
#include "runtime/core/sigaction.h"
#include "runtime/core/signals.h"
#include "runtime/core/stuck.h"

#include <errno.h>

enum { FIRST_REAL_TIME = 34, SIGNALS = 65 };

static struct sigaction wanted[SIGNALS];
static bool known[SIGNALS]; /* our handler is installed, the program's action is
                               in `wanted` */
static omen_latch latch;

int
omen_sigaction_real (int number, const struct sigaction *action,
                     struct sigaction *old)
{
  static int (*real) (int, const struct sigaction *, struct sigaction *);
  return omen_real (&real, "sigaction") (number, action, old);
}

/* Does the signal's default action end the process? */
static bool
is_deadly (int number)
{
  switch (number) {
  case SIGKILL:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
  case SIGCONT:
  case SIGCHLD:
  case SIGURG:
  case SIGWINCH:
    return false;
  default:
    return number > 0 && number < SIGNALS
           && (number < 32 || number >= FIRST_REAL_TIME);
  }
}

static bool
is_for_us (int number, const struct sigaction *action)
{
  return action->sa_handler != SIG_IGN
         && (action->sa_handler != SIG_DFL || is_deadly (number));
}

/* The program's action with our handler. SA_RESETHAND is done by us: the signal
   might be postponed. */
static struct sigaction
our_action (const struct sigaction *action)
{
  struct sigaction ours = *action;
  if (action->sa_handler == SIG_DFL) {
    ours = (struct sigaction){ .sa_flags = SA_ONSTACK };
    sigfillset (&ours.sa_mask);
  }
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_flags &= ~SA_RESETHAND;
  ours.sa_sigaction = omen_signal_arrived;
  return ours;
}

/* The latch is held. If the kernel refuses, nothing changes. */
static int
set_action (int number, const struct sigaction *action)
{
  struct sigaction ours;
  bool for_us = is_for_us (number, action);
  if (for_us)
    ours = our_action (action);
  struct sigaction before = wanted[number];
  bool was_known = known[number];
  wanted[number] = *action;
  known[number] = for_us;
  int result = omen_sigaction_real (number, for_us ? &ours : action, NULL);
  if (result) {
    wanted[number] = before;
    known[number] = was_known;
  }
  return result;
}

void
omen_sigaction_take (int number, struct sigaction *action)
{
  omen_busy_begin ();
  omen_latch_take (&latch);
  *action = wanted[number];
  if (action->sa_flags & SA_RESETHAND && action->sa_handler != SIG_DFL) {
    struct sigaction plain = { .sa_handler = SIG_DFL };
    set_action (number, &plain);
  }
  omen_latch_give (&latch);
  omen_busy_end ();
}

bool
omen_sigaction_handles (void)
{
  bool any = false;
  omen_busy_begin ();
  omen_latch_take (&latch);
  for (int number = 1; number < SIGNALS && !any; number++)
    any = known[number] && wanted[number].sa_handler != SIG_DFL;
  omen_latch_give (&latch);
  omen_busy_end ();
  return any;
}

static int
change_action (int number, const struct sigaction *action,
               struct sigaction *old)
{
  struct sigaction seen = { 0 };
  int result = 0;
  omen_busy_begin ();
  omen_latch_take (&latch);
  if (known[number])
    seen = wanted[number];
  else
    result = omen_sigaction_real (number, NULL, &seen);
  if (!result && action)
    result = set_action (number, action);
  bool handles = !result && action && is_for_us (number, action)
                 && action->sa_handler != SIG_DFL;
  omen_latch_give (&latch);
  if (handles)
    omen_stuck_helped ();
  omen_busy_end ();
  if (!result && old)
    *old = seen;
  return result;
}

void
omen_signals_start (void)
{
  for (int number = 1; number < SIGNALS; number++) {
    struct sigaction action;
    if (number != SIGKILL && number != SIGSTOP
        && !omen_sigaction_real (number, NULL, &action)
        && is_for_us (number, &action))
      set_action (number, &action);
  }
}

void
omen_signals_after_fork (void)
{
  latch = (omen_latch){ 0 };
}

#pragma GCC visibility push(default)

int
sigaction (int number, const struct sigaction *action, struct sigaction *old)
{
  if (omen_rt_mode != OMEN_MODE_RECORD || number <= 0 || number >= SIGNALS)
    return omen_sigaction_real (number, action, old);
  struct sigaction copy;
  if (action)
    copy = *action;
  return change_action (number, action ? &copy : NULL, old);
}

static sighandler_t
set_handler (int number, sighandler_t handler, int flags)
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = flags }, old;
  if (handler == SIG_ERR || number <= 0 || number >= SIGNALS) {
    errno = EINVAL;
    return SIG_ERR;
  }
  if (!(flags & SA_NODEFER))
    sigaddset (&action.sa_mask, number);
  return sigaction (number, &action, &old) ? SIG_ERR : old.sa_handler;
}

#define SIGNAL(name, flags)                                                    \
  sighandler_t name (int number, sighandler_t handler)                         \
  {                                                                            \
    static sighandler_t (*real) (int, sighandler_t);                           \
    if (omen_rt_mode != OMEN_MODE_RECORD)                                      \
      return omen_real (&real, #name) (number, handler);                       \
    return set_handler (number, handler, flags);                               \
  }

sighandler_t bsd_signal (int number, sighandler_t handler);
SIGNAL (signal, SA_RESTART)
SIGNAL (bsd_signal, SA_RESTART)
SIGNAL (ssignal, SA_RESTART)
SIGNAL (sysv_signal, SA_RESETHAND | SA_NODEFER)
SIGNAL (__sysv_signal, SA_RESETHAND | SA_NODEFER)

#pragma GCC visibility pop
