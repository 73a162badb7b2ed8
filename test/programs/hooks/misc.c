//: ext 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static struct timespec at;
static struct timeval old;
static time_t seconds;
static struct tm parts;
static struct stat file;
static struct utsname machine;
static char folder[4096], text[64];
static double whole;
static int exponent;
static unsigned seed = 7;

int
main (int argc, char **argv)
{
  time (&seconds);
  gettimeofday (&old, NULL);
  clock_gettime (CLOCK_REALTIME, &at);
  printf ("%d\n", at.tv_sec - seconds < 60 && old.tv_sec - seconds < 60);
  seconds = 86400;
  gmtime_r (&seconds, &parts);
  printf ("%d %d\n", parts.tm_year, parts.tm_mday);
  parts.tm_mday += 40;
  printf ("%ld %d\n", (long)timegm (&parts), parts.tm_mon);
  strftime (text, sizeof text, "%Y-%m-%d", &parts);
  printf ("%c%s\n", text[0], text);
  printf ("%d %d\n", stat (argv[0], &file), S_ISREG (file.st_mode));
  printf ("%d %d\n", getcwd (folder, sizeof folder) != NULL, folder[0] == '/');
  printf ("%d %d\n", uname (&machine), machine.sysname[0]);
  printf ("%g %g\n", modf (argc + 1.25, &whole), whole);
  printf ("%g %d\n", frexp (8.0 * argc, &exponent), exponent);
  printf ("%d %d\n", rand_r (&seed) > 0, seed != 7);
  return 0;
}
