/* Any bytes through the writer of text for people: what comes out has nothing
   in it that steers a terminal, and is not escaped again; words for the shell
   are read back the same. */
#include "fuzz.h"

#include "base/mem.h"
#include "base/print.h"

#include <stdlib.h>
#include <string.h>

static char *
printed (const char *text, bool words)
{
  char *out;
  size_t size;
  FILE *file = open_memstream (&out, &size);
  OMEN_REQUIRE (file);
  if (words)
    omen_print_words (file, text);
  else
    omen_print (file, "%s", text);
  fclose (file);
  return out;
}

static void
is_plain (const char *text)
{
  size_t left = strlen (text), size;
  for (; left; text += size, left -= size) {
    size = omen_print_plain (text, left);
    OMEN_ASSERT (size && size <= left);
  }
}

/* As a shell reads one word; NULL: it is more, or none. */
static char *
read_by_shell (const char *quoted)
{
  char *word = malloc (strlen (quoted) + 1), *to = word;
  bool ansi = !strncmp (quoted, "$'", 2);
  char quote = 0;
  OMEN_REQUIRE (word);
  for (const char *at = quoted + ansi; *at; at++)
    if (*at == '\'')
      quote = (char)(quote ? 0 : '\'');
    else if (*at == '\\' && (ansi || !quote)) {
      at++;
      if (*at >= '0' && *at <= '7') {
        *to++ = (char)((at[0] - '0') * 64 + (at[1] - '0') * 8 + at[2] - '0');
        at += 2;
      } else
        *to++ = *at;
    } else {
      OMEN_ASSERT (quote || !strchr (" $`\"&|;<>(){}*?[]!#~", *at));
      *to++ = *at;
    }
  OMEN_ASSERT (!quote);
  *to = 0;
  return word;
}

static void
word_comes_back (const char *text)
{
  char *quoted, *again;
  size_t size;
  FILE *file = open_memstream (&quoted, &size);
  OMEN_REQUIRE (file);
  omen_print_word (file, text, strlen (text));
  fclose (file);
  is_plain (quoted);
  again = read_by_shell (quoted);
  OMEN_ASSERT (!strcmp (again, text));
  free (again);
  free (quoted);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char *text = malloc (size + 1);
  OMEN_REQUIRE (text);
  if (size)
    memcpy (text, data, size);
  text[size] = 0;
  for (int words = 0; words < 2; words++) {
    char *once = printed (text, words), *twice = printed (once, words);
    is_plain (once);
    if (!words)
      OMEN_ASSERT (!strcmp (once, twice));
    free (once);
    free (twice);
  }
  word_comes_back (text);
  free (text);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
