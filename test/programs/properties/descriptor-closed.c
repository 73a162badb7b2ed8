#include <fcntl.h>
#include <unistd.h>
int
main (int argc, char **argv)
{
  char c;
  int ends[2], fd = open (argv[0], O_RDONLY);
  read (fd, &c, 1);
  close (fd);
  fd = open (argv[0], O_RDONLY);
  read (fd, &c, 1);
  close (fd);
#ifdef BAD
  read (fd, &c, 1);
#endif
  pipe (ends);
  write (ends[1], &c, 1);
  return 0;
}
