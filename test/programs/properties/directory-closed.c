#include <dirent.h>
int
main (void)
{
  DIR *d = opendir ("/");
  readdir (d);
  closedir (d);
  d = opendir ("/");
#ifdef BAD
  closedir (d);
  dirfd (d);
#else
  dirfd (d);
  closedir (d);
#endif
  return 0;
}
