/* The signal handler of the runtime, which stands for all of the program's. */
#include "runtime/core/signals.h"
#include "runtime/hooks/atomic.h"
#include "runtime/core/bytes.h"
#include "runtime/hooks/channel.h"
#include "runtime/sched/replay_signal.h"
#include "runtime/core/sigaction.h"
#include "runtime/core/stuck.h"

OMEN_TLS uint32_t omen_rt_busy;
OMEN_TLS bool omen_rt_postponed;
OMEN_TLS bool omen_signal_ours;
static OMEN_TLS uint64_t mask_before; /* if postponed */

enum { KERNEL_SET = 8 /* bytes */ };

/* -- signals that come while the thread is busy, or has an atomic open
   ------ */

void
omen_busy_over (void)
{
  omen_rt_postponed = false;
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask_before, 0, KERNEL_SET,
             0, 0);
}

#define BIT(number) (UINT64_C (1) << ((number) - 1))
#define FAULTS                                                                 \
  (BIT (SIGSEGV) | BIT (SIGBUS) | BIT (SIGFPE) | BIT (SIGILL) | BIT (SIGTRAP)  \
   | BIT (SIGSYS))

/* Sends the signal to this thread again, with everything blocked until
   omen_busy_over except faults: the kernel kills a process that faults while
   the signal is blocked. */
static void
postpone (int number, siginfo_t *info, ucontext_t *context)
{
  uint64_t *mask = (uint64_t *)&context->uc_sigmask;
  long process = omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0);
  long thread = omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
  if (!omen_rt_postponed)
    mask_before = *mask;
  omen_rt_postponed = true;
  *mask |= ~FAULTS | BIT (number);
  if (omen_call (SYS_rt_tgsigqueueinfo, process, thread, number, (long)info, 0,
                 0)
      < 0)
    omen_call (SYS_tgkill, process, thread, number, 0, 0, 0);
}

/* A fault raised by an instruction cannot be postponed. */
static bool
is_fault (int number, const siginfo_t *info)
{
  return info->si_code > 0 && number <= 64 && FAULTS & BIT (number);
}

/* A fault while other signals are postponed: its handler may change the mask as
   it likes; the others come after it. */
static void
stop_waiting (ucontext_t *context)
{
  if (omen_rt_postponed)
    *(uint64_t *)&context->uc_sigmask = mask_before;
  omen_rt_postponed = false;
}

/* -- signals that end the program ---------------------------------------- */

static void
send (int number)
{
  omen_call (SYS_tgkill, omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0),
             omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
}

/* The thread's last record says where it was. */
static void
note_death (int number)
{
  omen_self *self = omen_rt_self;
  if (!self || omen_file_closed)
    return;
  omen_thread_log_close (self->log);
  omen_rt_disabled = OMEN_DISABLED_ODD;
  omen_log_note (OMEN_ITEM_SIGNAL_BEGIN, (uint64_t)number | OMEN_SIGNAL_DEADLY);
}

/* Dies as it would have without us: of the same signal, by default action. A
   fault is raised again when its instruction is repeated. */
static void
die (int number, const siginfo_t *info)
{
  struct sigaction plain = { .sa_handler = SIG_DFL };
  if (!omen_rt_busy) {
    note_death (number);
    omen_life_end ();
  }
  omen_sigaction_real (number, &plain, NULL);
  if (!is_fault (number, info))
    send (number);
}

void
omen_signal_abort (void)
{
  struct sigaction plain = { .sa_handler = SIG_DFL };
  uint64_t its = UINT64_C (1) << (SIGABRT - 1);
  omen_call (SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&its, 0, KERNEL_SET, 0, 0);
  send (SIGABRT);
  note_death (SIGABRT);
  omen_life_end ();
  omen_sigaction_real (SIGABRT, &plain, NULL);
}

/* -- handlers of the program --------------------------------------------- */

static void
call (const struct sigaction *action, int number, siginfo_t *info,
      void *context)
{
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction (number, info, context);
  else
    action->sa_handler (number);
}

/* Where the interrupted code writes its records, and the record that it may
   have written in part. */
typedef struct omen_interrupted {
  uint64_t *cursor;
  uint64_t half[OMEN_BLOCK_WORDS];
  uint64_t depth;
  uint32_t disabled;
  omen_waits waits;
  omen_atomic_hold atomic;
} omen_interrupted;

static bool
is_in_log (const omen_thread_log *log, const uint64_t *at)
{
  return log->cursor == &__omen_cursor && at >= log->span
         && (uintptr_t)at <= (uintptr_t)log;
}

static void
hold (omen_interrupted *held)
{
  held->cursor = __omen_cursor;
  held->depth = __omen_depth;
  held->disabled = omen_rt_disabled;
  held->waits = omen_stuck_begin (OMEN_STUCK_NOT, NULL, 0);
  held->atomic = omen_atomic_leave ();
  omen_rt_disabled = OMEN_DISABLED_ODD;
  if (omen_cursor_ready (held->cursor))
    omen_bytes_copy (held->half, held->cursor, sizeof held->half);
}

/* Writes what the handler logged, so that the log after `cursor` is free
   again. */
static void
let_go (omen_self *self, const omen_interrupted *held)
{
  omen_thread_log *log = self->log;
  omen_busy_begin ();
  if (is_in_log (log, held->cursor) && is_in_log (log, __omen_cursor)) {
    omen_latch_take (&log->latch);
    omen_thread_log_close (log);
    omen_thread_log_flush (log);
    log->written = held->cursor;
    __omen_cursor = held->cursor;
    if (omen_cursor_ready (held->cursor))
      omen_bytes_copy (held->cursor, held->half, sizeof held->half);
    omen_latch_give (&log->latch);
  }
  __omen_depth = held->depth;
  omen_rt_disabled = held->disabled;
  omen_stuck_again (&held->waits);
  omen_busy_end ();
  omen_atomic_return (held->atomic);
}

/* A handler's frame is gone if the stack is shorter now, or if the handler ran
   on an alternate stack and this is another one. */
static bool
is_gone (const omen_handler *handler, uintptr_t here)
{
  if (handler->stack_size)
    return here - handler->stack >= handler->stack_size;
  return here > handler->frame;
}

void
omen_signal_unwound (omen_self *self)
{
  uintptr_t here = (uintptr_t)__builtin_frame_address (0);
  while (
      self->handlers
      && is_gone (&self->handler[(self->handlers - 1) % OMEN_HANDLERS], here)) {
    self->handlers--;
    omen_log_note (OMEN_ITEM_SIGNAL_END, 0);
  }
  __atomic_store_n (&self->interrupted, self->handlers, __ATOMIC_RELEASE);
  omen_self_find_way (self);
}

static void
enter_handler (omen_self *self, const siginfo_t *info,
               const ucontext_t *context)
{
  omen_handler *handler = &self->handler[self->handlers % OMEN_HANDLERS];
  uintptr_t frame = (uintptr_t)context;
  uintptr_t stack = (uintptr_t)context->uc_stack.ss_sp;
  size_t size = context->uc_stack.ss_size;
  bool own = !(context->uc_stack.ss_flags & SS_DISABLE) && frame - stack < size;
  omen_log_time (); /* the interrupted thread may have waited for long */
  omen_log_note (OMEN_ITEM_SIGNAL_BEGIN, (uint64_t)info->si_signo);
  omen_channel_signalled (info, 0);
  *handler = (omen_handler){ frame, stack, own ? size : 0 };
  self->handlers++;
}

static void
handle (const struct sigaction *action, int number, siginfo_t *info,
        void *context)
{
  omen_self *self = omen_rt_self;
  omen_interrupted held;
  if (!self || omen_file_closed) {
    call (action, number, info, context);
    return;
  }
  unsigned before = self->interrupted;
  __atomic_store_n (&self->interrupted, before + 1, __ATOMIC_SEQ_CST);
  omen_thread_log_close (self->log);
  hold (&held);
  if (omen_rt_replay)
    omen_sched_enter (); /* in its turn */
  enter_handler (self, info, context);
  uint32_t depth = self->handlers;
  omen_replay_handles (true);
  call (action, number, info, context);
  omen_replay_handles (false);
  if (self->handlers >= depth) {
    self->handlers = depth - 1;
    omen_log_note (OMEN_ITEM_SIGNAL_END, (uint64_t)number);
  }
  let_go (self, &held);
  __atomic_store_n (&self->interrupted, before, __ATOMIC_RELEASE);
  if (number == SIGABRT) /* abort within libc: it will kill the process after
                            the handler returns */
    omen_log_flush_all ();
}

void
omen_signal_arrived (int number, siginfo_t *info, void *context)
{
  struct sigaction action;
  if (omen_signal_ours && (number == SIGXFSZ || number == SIGPIPE))
    return;
  if (is_fault (number, info))
    stop_waiting (context);
  else if (omen_rt_busy || omen_atomic_holds ()) {
    postpone (number, info, context);
    return;
  }
  if (!omen_replay_takes (number))
    return;
  omen_sigaction_take (number, &action);
  if (action.sa_handler == SIG_DFL)
    die (number, info);
  else if (action.sa_handler != SIG_IGN) {
    if (omen_rt_busy)
      call (&action, number, info, context);
    else
      handle (&action, number, info, context);
  }
}
