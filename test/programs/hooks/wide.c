// Wide strings that libc wrote are read back: nothing is left to be explained.
//: ext 0
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t a[64], b[64], c[64];
static char narrow[64];

int
main (void)
{
  int sum = 0;
  wcscpy (a, L"hello");
  wcscat (a, L", world");
  wcsncpy (b, a, 5);
  wcsncat (b, L"!!!!", 2);
  wmemcpy (c, a, 64);
  sum += a[0] + b[5] + c[7];
  wcpcpy (wcpcpy (c, L"x"), L"y");
  sum += c[1] + c[2];
  wmemmove (a + 2, a, 5);
  sum += a[2] + (int)wcslen (a) + (int)wcsnlen (a, 3);
  wmemset (b, L'z', 10);
  sum += b[9] + (wcscmp (a, b) < 0) + (wcsncmp (a, b, 1) < 0);
  sum += wmemcmp (a, a, 64) + (int)(wcschr (a, L'l') - a);
  sum += (int)(wcsrchr (a, L'l') - a) + (int)(wcsstr (a, L"lo") - a);
  sum += (int)wcsspn (a, L"he") + (int)wcscspn (a, L"o");
  sum += *wcspbrk (a, L"ol") + *wmemchr (a, L'l', 64);
  wchar_t *copy = wcsdup (a);
  sum += copy[1];
  free (copy);
  sum += (int)mbstowcs (c, "abc", 64) + c[2];
  sum += (int)wcstombs (narrow, c, sizeof narrow) + narrow[1];
  printf ("%d\n", sum);
  return 0;
}
