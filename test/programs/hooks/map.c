//? alloc(.*,8192)
#include <stdio.h>
#include <sys/mman.h>

int
main (void)
{
  char *a = mmap (NULL, 8192, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf ("%d\n", a[100]);
  a[100] = 1;
  a[5000] = 2;
  munmap (a + 4096, 4096);
  a = mremap (a, 4096, 16384, MREMAP_MAYMOVE);
  printf ("%d %d\n", a[100], a[5000]);
  printf ("%d\n", munmap (a, 16384));
  return 0;
}
