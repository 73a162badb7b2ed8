/* The callbacks for plain accesses; tsan.h describes the method. */
#include "runtime/hooks/tsan.h"

#include "runtime/hooks/range.h"

#pragma GCC visibility push(default)

/* -- Accesses ------------------------------------------------------------ */

typedef struct last_write {
  void *at;
  uint32_t size;
  uint64_t pc;
} last_write;

static OMEN_TLS last_write pending; /* size 0: none */

/* The memory is still mapped: munmap is interposed, too, and comes here first.
 */
void
omen_tsan_settle (void)
{
  last_write a = pending;
  omen_rt_disabled &= ~(uint32_t)OMEN_DISABLED_WRITING;
  pending.size = 0;
  if (a.size && !(omen_rt_disabled & ~(uint32_t)OMEN_DISABLED_ODD)
      && !omen_rt_options.sync_only)
    omen_log_range (OMEN_ITEM_RANGE_WRITE, a.at, a.at, a.size, a.pc, NULL);
}

static void
watch_read (void *at, uint32_t size, uint64_t pc)
{
  if (!omen_watching ())
    return;
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_RANGE_READ, at);
  omen_log_range (OMEN_ITEM_RANGE_READ, at, at, size, pc, NULL);
}

static void
watch_write (void *at, uint32_t size, uint64_t pc)
{
  if (!omen_watching ())
    return;
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_RANGE_WRITE, at);
  pending = (last_write){ at, size, pc };
  omen_rt_disabled |= OMEN_DISABLED_WRITING;
}

#define ACCESS(name, size, what)                                               \
  void name (void *at);                                                        \
  void name (void *at)                                                         \
  {                                                                            \
    uint64_t pc = OMEN_PC;                                                     \
    what;                                                                      \
  }

#define READ(name, size) ACCESS (name, size, watch_read (at, size, pc))
#define WRITE(name, size) ACCESS (name, size, watch_write (at, size, pc))
#define BOTH(name, size)                                                       \
  ACCESS (name, size, watch_read (at, size, pc); watch_write (at, size, pc))

#define SIZES(what, name) /* aligned and not; the latter not for 1 */          \
  what (__tsan_##name##1, 1) what (__tsan_##name##2, 2)                        \
      what (__tsan_##name##4, 4) what (__tsan_##name##8, 8)                    \
          what (__tsan_##name##16, 16) what (__tsan_unaligned_##name##1, 1)    \
              what (__tsan_unaligned_##name##2, 2)                             \
                  what (__tsan_unaligned_##name##4, 4)                         \
                      what (__tsan_unaligned_##name##8, 8)                     \
                          what (__tsan_unaligned_##name##16, 16)

SIZES (READ, read)
SIZES (WRITE, write)
SIZES (BOTH, read_write)
SIZES (READ, volatile_read)
SIZES (WRITE, volatile_write)
READ (__tsan_vptr_read, sizeof (void *))

void __tsan_vptr_update (void **at, void *value);
void __tsan_read_range (void *at, unsigned long size);
void __tsan_write_range (void *at, unsigned long size);

void
__tsan_vptr_update (void **at, void *value)
{
  watch_write (at, sizeof *at, OMEN_PC);
}

void
__tsan_read_range (void *at, unsigned long size)
{
  omen_read (at, size, OMEN_PC);
}

void
__tsan_write_range (void *at, unsigned long size)
{
  watch_write (at, (uint32_t)size, OMEN_PC);
}

/* -- Copies: clang calls these, gcc the functions of libc ---------------- */

void *__tsan_memcpy (void *to, const void *from, size_t size);
void *__tsan_memmove (void *to, const void *from, size_t size);
void *__tsan_memset (void *to, int byte, size_t size);

void *
__tsan_memcpy (void *to, const void *from, size_t size)
{
  omen_move (to, from, size, OMEN_PC);
  return to;
}

void *
__tsan_memmove (void *to, const void *from, size_t size)
{
  omen_move (to, from, size, OMEN_PC);
  return to;
}

void *
__tsan_memset (void *to, int byte, size_t size)
{
  __builtin_memset (to, byte, size);
  omen_wrote (to, size, OMEN_PC);
  return to;
}

/* -- Functions ----------------------------------------------------------------

   Entry and exit come without a name or a site, so they are not logged: each
   access has its own place, and blocks are those that omen.h marks. */
void __tsan_func_entry (void *caller);
void __tsan_func_exit (void);
void __tsan_ignore_thread_begin (void);
void __tsan_ignore_thread_end (void);
void __tsan_init (void);

void
__tsan_func_entry (void *caller)
{
}

void
__tsan_func_exit (void)
{
}

void
__tsan_ignore_thread_begin (void)
{
  if (omen_enabled ())
    omen_log (OMEN_ITEM_IGNORE_BEGIN, NULL, 0, 0, OMEN_PC);
}

void
__tsan_ignore_thread_end (void)
{
  if (omen_enabled ())
    omen_log (OMEN_ITEM_IGNORE_END, NULL, 0, 0, OMEN_PC);
}

/* Each such object calls this before main. */
void
__tsan_init (void)
{
  omen_rt_woven = true;
  if (omen_rt_mode == OMEN_MODE_RECORD && !omen_rt_scheduled
      && !omen_rt_options.sync_only && !omen_rt_options.sampled)
    omen_give_up ("the program has parts compiled with -fsanitize=thread, "
                  "which are recorded exactly only with --schedule; "
                  "--sampled records them as they come");
}

#pragma GCC visibility pop
