#include "report/script.h"
#include "report/words.h"

#include <string.h>

static int
write_escaped (const char *text, size_t size, void *data)
{
  FILE *out = data;
  while (size) {
    const char *sign = memchr (text, '<', size);
    size_t plain = sign ? (size_t)(sign - text) : size;
    fwrite (text, 1, plain, out);
    if (!sign)
      break;
    fputs ("\\u003c", out);
    text += plain + 1;
    size -= plain + 1;
  }
  return 0;
}

void
omen_script_json (json_t *value, FILE *out)
{
  json_dump_callback (value, write_escaped, out,
                      JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  json_decref (value);
}

void
omen_script_text_n (const char *text, size_t length, FILE *out)
{
  omen_script_json (omen_words_text_n (text, length), out);
}

void
omen_script_text (const char *text, FILE *out)
{
  omen_script_text_n (text, strlen (text), out);
}
