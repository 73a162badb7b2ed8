/* Creating and waiting for other processes. What they do is outside; they
   inherit this process's descriptors. */
#include "runtime/hooks/channel.h"
#include "runtime/core/serve.h"
#include "runtime/hooks/libc.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void
ended (pid_t result, const int *status, const struct rusage *usage, uint64_t pc)
{
  if (result <= 0)
    return;
  omen_outside_after (pc);
  if (status)
    omen_wrote (status, sizeof *status, pc);
  if (usage)
    omen_wrote (usage, sizeof *usage, pc);
}

OMEN_LIBC_BLOCKS (pid_t, wait, (int *status), (status), ,
                  ended (result, status, NULL, pc))
OMEN_LIBC_BLOCKS (pid_t, waitpid, (pid_t pid, int *status, int flags),
                  (pid, status, flags), , ended (result, status, NULL, pc))
OMEN_LIBC_BLOCKS (pid_t, wait3, (int *status, int flags, struct rusage *usage),
                  (status, flags, usage), , ended (result, status, usage, pc))
OMEN_LIBC_BLOCKS (pid_t, wait4,
                  (pid_t pid, int *status, int flags, struct rusage *usage),
                  (pid, status, flags, usage), ,
                  ended (result, status, usage, pc))
OMEN_LIBC_BLOCKS (
    int, waitid, (idtype_t type, id_t id, siginfo_t *info, int flags),
    (type, id, info, flags), , if (!result) {
      omen_outside_after (pc);
      if (info)
        omen_wrote (info, sizeof *info, pc);
    })

static void
makes (uint64_t pc)
{
  omen_serve_depends (OMEN_SERVED_PROCESSES);
  omen_channel_share ();
  omen_outside_before (pc);
}

#define SPAWN(name)                                                            \
  OMEN_LIBC_BLOCKS (                                                           \
      int, name,                                                               \
      (pid_t *restrict pid, const char *restrict path,                         \
       const posix_spawn_file_actions_t *restrict actions,                     \
       const posix_spawnattr_t *restrict attributes,                           \
       char *const words[restrict], char *const values[restrict]),             \
      (pid, path, actions, attributes, words, values), makes (pc),             \
      if (!result && pid) omen_wrote (pid, sizeof *pid, pc))

SPAWN (posix_spawn)
SPAWN (posix_spawnp)
OMEN_LIBC_BLOCKS (int, system, (const char *command), (command),
                  if (command) omen_read_text (command, SIZE_MAX, pc);
                  makes (pc), omen_outside_after (pc))
OMEN_LIBC_BLOCKS (FILE *, popen, (const char *command, const char *mode),
                  (command, mode), omen_read_text (command, SIZE_MAX, pc);
                  makes (pc), )
OMEN_LIBC_BLOCKS (int, pclose, (FILE * file), (file),
                  omen_channel_file_before (file, pc), omen_channel_closed (-1);
                  omen_outside_after (pc))
