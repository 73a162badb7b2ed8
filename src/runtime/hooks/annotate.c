/* Annotations: the functions of omen.h, and those that a program may already
   call for ThreadSanitizer (sanitizer/tsan_interface.h) or of
   dynamic_annotations.h. Helgrind's requests (helgrind.h) are instructions, not
   calls, and cannot be intercepted. */
#include "runtime/hooks/hook.h"
#include "runtime/monitor/monitor.h"

#define __OMEN__ 1 /* the annotations are functions of ours */
#include <omen.h>

#pragma GCC visibility push(default)

/* -- omen.h -------------------------------------------------------------- */

static void
note_label (enum omen_item_kind kind, const char *label, uint64_t pc)
{
  if (omen_enabled ())
    omen_log (kind, (void *)(uintptr_t)omen_string_id (label), 0, 0, pc);
}

static void
note_object (enum omen_item_kind kind, const volatile void *object, uint64_t pc)
{
  if (!omen_enabled ())
    return;
  if (omen_rt_scheduled)
    omen_sched_point (kind, object);
  omen_log_now (kind, object, 0, pc);
}

static void
note_plain (enum omen_item_kind kind, const volatile void *object, uint64_t pc)
{
  if (omen_enabled ())
    omen_log (kind, object, 0, 0, pc);
}

void
__omen_note_begin (const char *label)
{
  note_label (OMEN_ITEM_BLOCK_BEGIN, label, OMEN_PC);
}

void
__omen_note_end (const char *label)
{
  note_label (OMEN_ITEM_BLOCK_END, label, OMEN_PC);
}

void
__omen_note_before (const volatile void *addr)
{
  note_object (OMEN_ITEM_HAPPENS_BEFORE, addr, OMEN_PC);
}

void
__omen_note_after (const volatile void *addr)
{
  note_object (OMEN_ITEM_HAPPENS_AFTER, addr, OMEN_PC);
}

void
__omen_note_ignore_begin (void)
{
  note_plain (OMEN_ITEM_IGNORE_BEGIN, NULL, OMEN_PC);
}

void
__omen_note_ignore_end (void)
{
  note_plain (OMEN_ITEM_IGNORE_END, NULL, OMEN_PC);
}

void
__omen_note_dead (const volatile void *p)
{
  if (OMEN_UNLIKELY (omen_monitor_on))
    omen_monitor_dead (p);
  note_plain (OMEN_ITEM_DEAD, p, OMEN_PC);
}

void
__omen_note_event (const char *text, unsigned count, unsigned pointers,
                   unsigned long long a, unsigned long long b,
                   unsigned long long c, unsigned long long d,
                   unsigned long long e, unsigned long long f,
                   unsigned long long g, unsigned long long h)
{
  uint64_t values[] = { a, b, c, d, e, f, g, h };
  if (OMEN_UNLIKELY (omen_monitor_on))
    omen_monitor_named (text, count, values, OMEN_PC);
  if (!omen_enabled ())
    return;
  omen_log_with (OMEN_ITEM_EMIT, (void *)(uintptr_t)omen_string_id (text), 0,
                 count | pointers << 8, OMEN_PC, values,
                 (count + 1) / 2 * 2 * sizeof *values);
}

/* -- ThreadSanitizer ----------------------------------------------------- */

void __tsan_acquire (void *addr);
void __tsan_release (void *addr);
void __tsan_mutex_create (void *addr, unsigned flags);
void __tsan_mutex_destroy (void *addr, unsigned flags);
void __tsan_mutex_pre_lock (void *addr, unsigned flags);
void __tsan_mutex_post_lock (void *addr, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock (void *addr, unsigned flags);
void __tsan_mutex_post_unlock (void *addr, unsigned flags);
void __tsan_mutex_pre_signal (void *addr, unsigned flags);
void __tsan_mutex_post_signal (void *addr, unsigned flags);
void __tsan_mutex_pre_divert (void *addr, unsigned flags);
void __tsan_mutex_post_divert (void *addr, unsigned flags);

/* Flags of the mutex calls, as tsan_interface.h has them. */
enum {
  TSAN_RECURSIVE = 1 << 1,
  TSAN_READ = 1 << 3,
  TSAN_TRY = 1 << 4,
  TSAN_TRY_FAILED = 1 << 5
};

static uint64_t
lock_flags (unsigned flags)
{
  return (flags & TSAN_RECURSIVE ? OMEN_LOCK_RECURSIVE : 0)
         | (flags & TSAN_TRY ? OMEN_LOCK_TRY : 0);
}

static void
note_lock (enum omen_item_kind kind, void *lock, unsigned flags, uint64_t pc)
{
  if (omen_enabled ())
    omen_log_now (kind, lock, lock_flags (flags), pc);
}

void
__tsan_acquire (void *addr)
{
  note_object (OMEN_ITEM_HAPPENS_AFTER, addr, OMEN_PC);
}

void
__tsan_release (void *addr)
{
  note_object (OMEN_ITEM_HAPPENS_BEFORE, addr, OMEN_PC);
}

void
__tsan_mutex_create (void *addr, unsigned flags)
{
  note_lock (OMEN_ITEM_LOCK_INIT, addr, flags, OMEN_PC);
}

void
__tsan_mutex_destroy (void *addr, unsigned flags)
{
  note_lock (OMEN_ITEM_LOCK_DESTROY, addr, flags, OMEN_PC);
}

/* Between pre_lock and post_lock runs the lock's own code: what it does to its
   words (by pthreads or atomics) would count twice. */
void
__tsan_mutex_pre_lock (void *addr, unsigned flags)
{
}

void
__tsan_mutex_post_lock (void *addr, unsigned flags, int recursion)
{
  enum omen_item_kind kind
      = flags & TSAN_READ ? OMEN_ITEM_READ_ACQUIRE : OMEN_ITEM_ACQUIRE;
  if (!(flags & TSAN_TRY_FAILED))
    note_lock (kind, addr, flags, OMEN_PC);
}

int
__tsan_mutex_pre_unlock (void *addr, unsigned flags)
{
  note_lock (flags & TSAN_READ ? OMEN_ITEM_READ_RELEASE : OMEN_ITEM_RELEASE,
             addr, flags, OMEN_PC);
  return 0;
}

void
__tsan_mutex_post_unlock (void *addr, unsigned flags)
{
}

void
__tsan_mutex_pre_signal (void *addr, unsigned flags)
{
}

void
__tsan_mutex_post_signal (void *addr, unsigned flags)
{
}

void
__tsan_mutex_pre_divert (void *addr, unsigned flags)
{
}

void
__tsan_mutex_post_divert (void *addr, unsigned flags)
{
}

/* -- dynamic_annotations.h ----------------------------------------------------

   OMEN_ANNOTATION (name, parameters, what to do)

   Each begins with the file and line of the annotation, which follow from the
   return address as well. A benign race cannot be told from others without
   hiding real accesses, so those annotations are accepted and ignored. */
#define OMEN_ANNOTATION(name, parameters, what)                                \
  void name parameters;                                                        \
  void name parameters                                                         \
  {                                                                            \
    what;                                                                      \
  }

OMEN_ANNOTATION (AnnotateHappensBefore,
                 (const char *file, int line, const volatile void *addr),
                 note_object (OMEN_ITEM_HAPPENS_BEFORE, addr, OMEN_PC))
OMEN_ANNOTATION (AnnotateHappensAfter,
                 (const char *file, int line, const volatile void *addr),
                 note_object (OMEN_ITEM_HAPPENS_AFTER, addr, OMEN_PC))
OMEN_ANNOTATION (AnnotateRWLockCreate, (const char *file, int line, void *lock),
                 note_lock (OMEN_ITEM_LOCK_INIT, lock, 0, OMEN_PC))
OMEN_ANNOTATION (AnnotateRWLockDestroy,
                 (const char *file, int line, void *lock),
                 note_lock (OMEN_ITEM_LOCK_DESTROY, lock, 0, OMEN_PC))
OMEN_ANNOTATION (AnnotateRWLockAcquired,
                 (const char *file, int line, void *lock, long writing),
                 note_lock (writing ? OMEN_ITEM_ACQUIRE
                                    : OMEN_ITEM_READ_ACQUIRE,
                            lock, 0, OMEN_PC))
OMEN_ANNOTATION (AnnotateRWLockReleased,
                 (const char *file, int line, void *lock, long writing),
                 note_lock (writing ? OMEN_ITEM_RELEASE
                                    : OMEN_ITEM_READ_RELEASE,
                            lock, 0, OMEN_PC))
OMEN_ANNOTATION (AnnotateIgnoreReadsBegin, (const char *file, int line),
                 note_plain (OMEN_ITEM_IGNORE_BEGIN, NULL, OMEN_PC))
OMEN_ANNOTATION (AnnotateIgnoreReadsEnd, (const char *file, int line),
                 note_plain (OMEN_ITEM_IGNORE_END, NULL, OMEN_PC))
OMEN_ANNOTATION (AnnotateIgnoreWritesBegin, (const char *file, int line),
                 note_plain (OMEN_ITEM_IGNORE_BEGIN, NULL, OMEN_PC))
OMEN_ANNOTATION (AnnotateIgnoreWritesEnd, (const char *file, int line),
                 note_plain (OMEN_ITEM_IGNORE_END, NULL, OMEN_PC))
OMEN_ANNOTATION (AnnotateNewMemory,
                 (const char *file, int line, const volatile void *at,
                  size_t size),
                 (void)at)
OMEN_ANNOTATION (AnnotateBenignRace,
                 (const char *file, int line, const volatile void *at,
                  const char *why),
                 (void)at)
OMEN_ANNOTATION (AnnotateBenignRaceSized,
                 (const char *file, int line, const volatile void *at,
                  size_t size, const char *why),
                 (void)at)
OMEN_ANNOTATION (AnnotateThreadName,
                 (const char *file, int line, const char *name), (void)name)
OMEN_ANNOTATION (AnnotateEnableRaceDetection,
                 (const char *file, int line, int enable), (void)enable)

#pragma GCC visibility pop
