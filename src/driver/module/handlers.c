#include "driver/module/handlers.h"
#include "base/print.h"
#include "driver/message.h"

#include <errno.h>
#include <limits.h>
#include <omen-module.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static char last_words[1024]; /* prepared before each call, for crashed */

static void
crashed (int number)
{
  ssize_t written = write (STDERR_FILENO, last_words, strlen (last_words));
  (void)written, (void)number;
  _exit (OMEN_EXIT_INPUT);
}

static void
catch_crashes (bool on)
{
  for (size_t i = 0; i < OMEN_COUNT (crashes); i++)
    signal (crashes[i], on ? crashed : SIG_DFL);
}

bool
omen_handlers_open (omen_handlers *h, const omen_spec_file *file, int *code)
{
  omen_err err = { 0 };
  *h = (omen_handlers){ .file = file, .out = dup (STDOUT_FILENO) };
  if (h->out < 0) {
    omen_err_io (&err, "standard output", "%s", strerror (errno));
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
    return false;
  }
  if (omen_offline_open (&h->code, file, OMEN_MODULE_HANDLERS, NULL, code))
    return true;
  close (h->out);
  return false;
}

void
omen_handlers_close (omen_handlers *h)
{
  omen_offline_close (&h->code);
  close (h->out);
}

/* ---- values ---- */

/* Marks values that are no integers; not a canonical address. */
#define NOWHERE (UINT64_C (0xdead) << 48)

static uint64_t
word_of (const omen_observer *observer, uint64_t value)
{
  const char *text = omen_observer_text (observer, value);
  char *end;
  uint64_t word;
  errno = 0;
  word = *text == '-' ? (uint64_t)strtoll (text, &end, 0)
                      : strtoull (text, &end, 0);
  return end > text && !*end && !errno ? word : NOWHERE | value;
}

/* ---- calls ---- */

/* omen_print into a buffer; too long text is cut. */
static void __attribute__ ((format (printf, 3, 4)))
print_into (char *text, size_t room, const char *format, ...)
{
  char *whole;
  size_t size;
  va_list args;
  FILE *out = open_memstream (&whole, &size);
  OMEN_REQUIRE (out);
  va_start (args, format);
  omen_vprint (out, format, args);
  va_end (args);
  fclose (out);
  snprintf (text, room, "%s", whole);
  free (whole);
}

static void
prepare_last_words (const omen_handlers *h, const omen_landing *call,
                    omen_eid event)
{
  print_into (last_words, sizeof last_words,
              "omen: %.300s: the handler of %.100s, %.100s, crashed at event "
              "%u of the trace; what it points to is in the program only\n",
              h->file->spec->path, call->property, call->category, event);
}

void
omen_handlers_call (omen_handlers *h, const omen_handler_landing *l)
{
  const omen_module_property *p = &h->code.properties[l->property];
  const omen_module_formula *f = &p->formula[l->formula];
  uint64_t values[OMEN_PARAMETERS_MAX];
  char where[PATH_MAX];
  omen_landing call = { .values = values,
                        .bound = l->report->bound,
                        .where = where,
                        .property = p->name };
  OMEN_REQUIRE (l->category < f->categories);
  if (!f->handlers[l->category])
    return;
  print_into (where, sizeof where, "%s", l->where);
  call.category = f->category[l->category];
  for (uint32_t i = 0; i < OMEN_PARAMETERS_MAX; i++)
    values[i] = l->report->bound >> i & 1
                    ? word_of (l->observer, l->report->values[i])
                    : 0;
  prepare_last_words (h, &call, l->event);
  fflush (stdout);
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  catch_crashes (true);
  f->handlers[l->category](&call);
  catch_crashes (false);
  fflush (stdout);
  dup2 (h->out, STDOUT_FILENO);
}
