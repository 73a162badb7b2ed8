// The wide printf and scanf, wide strings in narrow ones, positions: what they
// read is told, and what they wrote is explained.
//: ext 0
//? r(name
//? r(second
//? r(narrow
//? r(few
//? r(ends
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t text[100], word[20], name[8] = L"omen";
static wchar_t few[3] = { L'a', L'b', L'c' }; /* without an end */
static char narrow[100], first[20] = "first", second[20] = "second";
static char ends[2] = { 'x', 'y' };
static int one, two, count;
static double real;
static wchar_t letters[3];

static int
format (const wchar_t *how, ...)
{
  va_list args;
  va_start (args, how);
  int n = vswprintf (text, 100, how, args);
  va_end (args);
  return n;
}

int
main (void)
{
  long sum = 0;
  sum += swprintf (word, 20, L"%ls-%d", name, 7) + word[3] + word[6];
  sum += format (L"%s|%.2s|%5.1f|%Lg|%lc%n", first, ends, 2.5, 1.5L, L'x', &one);
  sum += text[0] + text[7] + one;
  sum += snprintf (narrow, sizeof narrow, "%2$s %1$s %3$ls %4$.3ls", first,
                   second, name, few);
  sum += narrow[0] + narrow[9] + narrow[16] + narrow[20];
  sum += swprintf (word, 4, L"%s", "truncated") + word[2] + word[3];
  sum += swscanf (L"12 abc 1.5 xyz", L"%d %99ls %lf %3lc", &count, text, &real,
                  letters);
  sum += count + text[1] + (long)real + letters[2];
  sum += sscanf ("1 2 wide", "%2$d %1$d %3$ls", &one, &two, word);
  sum += one * 10 + two + word[3];
  sum += sscanf ("7 8", "%*d %d%n", &one, &count) + count;
  fwprintf (stdout, L"%ls %ld\n", name, sum);
  return 0;
}
