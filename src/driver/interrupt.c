#include "driver/interrupt.h"
#include "base/defs.h"
#include "driver/output.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static omen_stop_flag flag;
static volatile double since; /* time (omen_now) at which the flag was set */

static void
end_now (int number)
{
  sigset_t one;
  omen_output_forget ();
  signal (number, SIG_DFL);
  sigemptyset (&one);
  sigaddset (&one, number);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  raise (number);
  _exit (128 + number);
}

void
omen_interrupt_by (int number)
{
  if (flag)
    return;
  since = omen_now ();
  flag = number;
}

static void
interrupt (int number)
{
  if (number == SIGALRM || (flag && omen_now () > since + 1))
    end_now (flag);
  if (flag)
    return;
  omen_interrupt_by (number);
  alarm (OMEN_INTERRUPT_SECONDS);
}

void
omen_interrupt_begin (void)
{
  struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
  sigfillset (&action.sa_mask);
  flag = 0;
  sigaction (SIGALRM, &action, NULL);
  for (size_t i = 0; i < OMEN_COUNT (ending); i++) {
    struct sigaction before;
    if (!sigaction (ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction (ending[i], &action, NULL);
  }
}

omen_stop_flag *
omen_interrupt_flag (void)
{
  return &flag;
}

bool
omen_interrupt_is_late (void)
{
  return flag && omen_now () > since + 2;
}

void
omen_interrupt_settle (void)
{
  alarm (0);
}

int
omen_interrupt_end (int code)
{
  alarm (0);
  if (flag) {
    fflush (NULL);
    end_now (flag);
  }
  for (size_t i = 0; i < OMEN_COUNT (ending); i++) {
    struct sigaction now;
    if (!sigaction (ending[i], NULL, &now) && now.sa_handler == interrupt)
      signal (ending[i], SIG_DFL);
  }
  return code;
}
