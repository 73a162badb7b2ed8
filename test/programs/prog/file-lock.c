/* locks of files exclude, and those of streams
   omen: none */
#define _GNU_SOURCE
#include "two.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char name[] = "file-lock-XXXXXX";
static volatile int x, y, z;

static void *
work (void *arg)
{
  int fd = open (name, O_RDWR);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  for (int i = 0; i < 2; i++) {
    if (flock (fd, LOCK_EX))
      abort ();
    x = x + 1;
    flock (fd, LOCK_UN);
    flockfile (stdin);
    y = y + 1;
    funlockfile (stdin);
    lock.l_type = F_WRLCK;
    if (fcntl (fd, F_OFD_SETLKW, &lock))
      abort ();
    z = z + 1;
    lock.l_type = F_UNLCK;
    fcntl (fd, F_OFD_SETLK, &lock);
  }
  close (fd);
  return arg;
}

int
main (void)
{
  close (mkstemp (name));
  run_two (work, work);
  unlink (name);
  return x == 4 && y == 4 && z == 4 ? 0 : 1;
}
