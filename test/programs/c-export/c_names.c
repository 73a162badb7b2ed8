/* Identifiers for the C export: the names of the trace where C, the compiler
   and the headers leave them free. */
#include "c_writer.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 80

/* Words of C, of C23 and of GNU C; what the headers of the program declare. */
static const char words[]
    = " auto break case char const continue default do double else enum extern "
      "float for goto if inline int long register restrict return short signed "
      "sizeof static struct switch typedef union unsigned void volatile while "
      "asm typeof bool true false nullptr constexpr thread_local alignas "
      "alignof static_assert typeof_unqual main noreturn "
      "abort abs aligned_alloc alloca asctime asprintf at_quick_exit atexit "
      "atof atoi atol atoll basename bcmp bcopy bsearch bzero calloc "
      "canonicalize_file_name clearenv clearerr clock clone ctermid ctime "
      "cuserid daylight difftime div dprintf dysize ecvt errno exit "
      "explicit_bzero fclose fcloseall fcvt fd_mask fd_set fdopen feof ferror "
      "fflush ffs ffsl ffsll fgetc fgetpos fgets fileno flockfile fmemopen "
      "fopen fopencookie fprintf fputc fputs fread free freopen fscanf fseek "
      "fseeko fsetpos ftell ftello ftrylockfile funlockfile fwrite gcvt gmtime "
      "grantpt index initstate kill_dependency labs ldiv linux llabs lldiv "
      "localtime madvise malloc mblen mbstowcs mbtowc mincore mlock mlock2 "
      "mlockall mmap mprotect mremap msync munlock munlockall munmap nanosleep "
      "offsetof on_exit open_memstream pclose perror popen printf pselect "
      "ptsname qecvt qfcvt qgcvt qsort quick_exit rand random rawmemchr "
      "realloc reallocarray realpath remap_file_pages remove rename renameat "
      "renameat2 rewind rindex rpmatch scanf secure_getenv select snprintf "
      "sprintf srand srandom sscanf stderr stdin stdout stpcpy stpncpy system "
      "tempnam time timegm timelocal timezone tzname tzset uint ulong ungetc "
      "unix unlockpt unsetenv unshare ushort va_list valloc vasprintf vdprintf "
      "vprintf wcstombs wctomb ";

static const char *const prefixes[] = {
  "pthread", "atomic",  "memory_order", "sem_",     "mem",      "str",
  "sched",   "clock_",  "timer_",       "timespec", "get",      "put",
  "set",     "sig",     "pkey_",        "posix_",   "process_", "program_",
  "obstack", "shm_",    "mkdtemp",      "mkost",    "mkst",     "mktemp",
  "mktime",  "tmpfile", "tmpnam",       "u_",       "arc4",     "hto",
  "vf",      "vs",      "be16",         "be32",     "le16",     "le32",
  "L_",      "P_"
};

static bool
ends_in (const char *text, const char *end)
{
  size_t length = strlen (text), tail = strlen (end);
  return length >= tail && !strcmp (text + length - tail, end);
}

/* A macro, more likely than not: capitals, and more than a letter and digits.
 */
static bool
like_a_macro (const char *text)
{
  if (!isupper ((unsigned char)text[0]))
    return false;
  if (strspn (text + 1, "0123456789") == strlen (text + 1))
    return false;
  for (; *text; text++)
    if (islower ((unsigned char)*text))
      return false;
  return true;
}

static bool
in_use (const char *text)
{
  char word[LONGEST + 3];
  snprintf (word, sizeof word, " %s ", text);
  if (strstr (words, word) || like_a_macro (text) || ends_in (text, "_t")
      || ends_in (text, "_r") || ends_in (text, "_unlocked")
      || strstr (text, "48") || strstr (text, "64"))
    return true;
  for (size_t i = 0; i < OMEN_COUNT (prefixes); i++)
    if (!strncmp (text, prefixes[i], strlen (prefixes[i])))
      return true;
  return false;
}

/* Letters, digits and single underlines, at most LONGEST - 30 of them. */
static void
make_word (const char *text, size_t length, const char *kind,
           char word[LONGEST])
{
  size_t used = 0;
  for (size_t i = 0; i < length && used < LONGEST - 30; i++) {
    unsigned char c = (unsigned char)text[i];
    bool plain = c < 0x80 && isalnum (c);
    if (!used && isdigit (c))
      used = (size_t)snprintf (word, LONGEST, "%s_", kind);
    if (plain || c == '_')
      word[used++] = (char)c;
    else if (used && word[used - 1] != '_')
      word[used++] = '_';
  }
  while (used > 1 && word[used - 1] == '_' && length && text[length - 1] != '_')
    used--;
  word[used] = 0;
  if (!used)
    strcpy (word, kind);
}

uint32_t
omen_c_identifier (omen_c_names *names, const char *text, size_t length,
                   const char *kind)
{
  char base[LONGEST], name[2 * LONGEST];
  uint32_t count = names->taken.count, id, *next;
  make_word (text, length, kind, base);
  snprintf (name, sizeof name, "%s", base);
  if (base[0] == '_' || !strncasecmp (base, "omen", 4))
    snprintf (name, sizeof name, "%s_%s", kind, base);
  else if (in_use (base))
    snprintf (name, sizeof name, "%s_", base);
  id = omen_names_id (&names->taken, name, strlen (name));
  if (id >= count)
    return id;
  next = omen_map_at (&names->next, OMEN_PAIR (id, kind[0]));
  if (*next == OMEN_NONE)
    *next = 1;
  snprintf (base, sizeof base, "%.60s", name);
  do {
    if (*next == 1)
      snprintf (name, sizeof name, "%s_%s", base, kind);
    else
      snprintf (name, sizeof name, "%s_%s%u", base, kind, *next);
    ++*next;
    id = omen_names_id (&names->taken, name, strlen (name));
  } while (id < count);
  return id;
}

void
omen_c_local (omen_line *line, const char *text, size_t length)
{
  char word[LONGEST];
  make_word (text, length, "p", word);
  omen_c_say (line, "%s%s", word, in_use (word) ? "_" : "");
}

const char *
omen_c_text (const omen_c *c, omen_operand table, uint32_t id)
{
  OMEN_ASSERT (id < c->trace->names[table].count);
  return omen_names_text (&c->names.taken, c->names.id[table][id]);
}

static void
name_table (omen_c *c, omen_operand table, const char *kind)
{
  const omen_names *names = &c->trace->names[table];
  uint32_t *id = omen_alloc (names->count * sizeof *id);
  for (uint32_t i = 0; i < names->count; i++)
    id[i] = omen_c_identifier (&c->names, names->names[i].text,
                               names->names[i].length, kind);
  c->names.id[table] = id;
}

static void
name_symbols (omen_c *c)
{
  const omen_names *symbols = &c->trace->symbols;
  c->names.symbol = omen_alloc (symbols->count * sizeof (uint32_t));
  for (uint32_t i = 0; i < symbols->count; i++) {
    char text[LONGEST] = "is_";
    size_t length = symbols->names[i].length;
    if (length > LONGEST - 8)
      length = LONGEST - 8;
    memcpy (text + 3, symbols->names[i].text, length);
    c->names.symbol[i]
        = omen_c_identifier (&c->names, text, length + 3, "value");
  }
}

void
omen_c_name (omen_c *c)
{
  omen_names_init (&c->names.taken);
  omen_map_init (&c->names.next);
  name_table (c, OMEN_OPERAND_VARIABLE, "variable");
  name_table (c, OMEN_OPERAND_FUNCTION, "function");
  name_table (c, OMEN_OPERAND_LOCK, "lock");
  name_table (c, OMEN_OPERAND_CONDITION, "condition");
  name_table (c, OMEN_OPERAND_SEMAPHORE, "semaphore");
  name_table (c, OMEN_OPERAND_BARRIER, "barrier");
  name_table (c, OMEN_OPERAND_OBJECT, "object");
  name_table (c, OMEN_OPERAND_THREAD, "thread");
  name_symbols (c);
}

void
omen_c_name_fini (omen_c *c)
{
  omen_names_fini (&c->names.taken);
  omen_map_fini (&c->names.next);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    omen_free (c->names.id[i]);
  omen_free (c->names.symbol);
}
