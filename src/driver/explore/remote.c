#include "driver/explore/remote.h"
#include "driver/interrupt.h"
#include "driver/message.h"
#include "driver/ranks/packet.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* How a run ended; followed by the contents of its files. */
enum { TRACE, ERRORS, OUTPUT, FILES };

typedef struct ended {
  int32_t status;
  uint32_t depends;
  uint8_t timed_out, overrun;
  uint64_t sizes[FILES];
} ended;

static const char *
path_of_copy (const omen_runner *r, int file)
{
  return file == TRACE ? r->trace : file == ERRORS ? r->errors : r->output;
}

/* ---- rank 0 ---- */

bool
omen_remote_start (omen_runner *r, const omen_rank_link *link,
                   const omen_stop_flag *stop, omen_err *err)
{
  *r = (omen_runner){ .socket = link->socket,
                      .rank = link->rank,
                      .stop = stop,
                      .guard = OMEN_NO_GUARD };
  return omen_runner_open_scratch (r, err);
}

void
omen_remote_begin (omen_runner *r, const char *plan, size_t length)
{
  r->begun = omen_now ();
  r->busy = true;
  r->timed_out = r->overrun = false;
  r->gone = !omen_packet_send (r->socket, OMEN_PACKET_RUN, 0, plan, length);
}

static bool
write_file (const char *path, const char *data, size_t size)
{
  FILE *file = omen_scratch_write (path);
  bool ok = file && fwrite (data, 1, size, file) == size;
  return file && !fclose (file) && ok;
}

static bool
take_files (omen_runner *r, const ended *e, const omen_packet *f)
{
  uint64_t at = sizeof *e;
  for (int i = 0; i < FILES; i++) {
    if (e->sizes[i] > f->size - at
        || !write_file (path_of_copy (r, i), f->data + at, e->sizes[i]))
      return false;
    at += e->sizes[i];
  }
  return at == f->size;
}

void
omen_remote_ended (omen_runner *r)
{
  omen_packet f = { 0 };
  ended e;
  r->busy = false;
  r->gone = r->gone || !omen_packet_get (r->socket, &f, r->stop)
            || f.kind != OMEN_PACKET_ENDED || f.size < sizeof e;
  if (!r->gone) {
    memcpy (&e, f.data, sizeof e);
    r->gone = !take_files (r, &e, &f);
    r->status = e.status;
    r->depends = e.depends;
    r->timed_out = e.timed_out;
    r->overrun = e.overrun;
  }
  omen_free (f.data);
}

/* ---- the others ---- */

typedef struct server {
  omen_runner *runners; /* one for each connection */
  const omen_ranks *ranks;
  struct pollfd *fds; /* of the connections, then the runners */
  size_t count;
  const omen_stop_flag *stop;
} server;

static void
append_file (FILE *to, const char *path, uint64_t *size)
{
  char buffer[1 << 16];
  size_t n;
  FILE *in = fopen (path, "rbe");
  while (in && (n = fread (buffer, 1, sizeof buffer, in)) > 0)
    *size += fwrite (buffer, 1, n, to);
  if (in)
    fclose (in);
}

static bool
send_ended (const omen_runner *r, int socket)
{
  ended e = { r->status, r->depends, r->timed_out, r->overrun, { 0 } };
  char *data = NULL;
  size_t size;
  FILE *to = open_memstream (&data, &size);
  OMEN_REQUIRE (to);
  fwrite (&e, sizeof e, 1, to);
  for (int i = r->overrun ? ERRORS : TRACE; i < FILES; i++)
    append_file (to, path_of_copy (r, i), &e.sizes[i]);
  OMEN_REQUIRE (!fclose (to));
  memcpy (data, &e, sizeof e);
  bool ok = omen_packet_send (socket, OMEN_PACKET_ENDED, 0, data, size);
  free (data);
  return ok;
}

static bool
begin_run (omen_runner *r, int socket, const omen_stop_flag *stop,
           omen_err *err)
{
  omen_packet f;
  if (!omen_packet_get (socket, &f, stop))
    return false; /* rank 0 needs no more runs */
  bool ok = f.kind == OMEN_PACKET_RUN && !r->busy
            && omen_runner_begin (r, f.data, f.size, err);
  omen_free (f.data);
  return ok;
}

static bool
serve_once (server *s, omen_err *err)
{
  enum { POLL_MS = 100 };
  for (size_t i = 0; i < s->count; i++) {
    omen_runner_limit (&s->runners[i]);
    s->fds[i] = (struct pollfd){ s->ranks->links.data[i].socket, POLLIN, 0 };
    s->fds[s->count + i]
        = (struct pollfd){ s->runners[i].busy ? s->runners[i].socket : -1,
                           POLLIN, 0 };
  }
  if (poll (s->fds, 2 * s->count, POLL_MS) < 0 && errno != EINTR)
    return false;
  for (size_t i = 0; i < s->count; i++) {
    int socket = s->ranks->links.data[i].socket;
    if (s->fds[s->count + i].revents && omen_runner_ended (&s->runners[i])
        && !send_ended (&s->runners[i], socket))
      return false;
    if (s->fds[i].revents && !begin_run (&s->runners[i], socket, s->stop, err))
      return false;
  }
  return true;
}

static void
serve_runners (server *s, const omen_recording *recording,
               const omen_check_request *request, omen_err *err)
{
  bool ok = true;
  for (size_t i = 0; i < s->count; i++)
    s->runners[i].socket = -1;
  for (size_t i = 0; ok && i < s->count; i++)
    ok = omen_runner_start (&s->runners[i], recording, request->record.program,
                            request->explore->output, err);
  while (ok && !*s->stop)
    ok = serve_once (s, err);
  for (size_t i = 0; i < s->count; i++)
    omen_runner_stop (&s->runners[i]);
}

int
omen_remote_serve (const omen_check_request *request, const omen_ranks *ranks)
{
  size_t count = ranks->links.count;
  server s = { .ranks = ranks, .count = count, .stop = omen_interrupt_flag () };
  omen_recording recording;
  omen_err err = { 0 };
  int code;
  if (omen_recording_prepare (&recording, request->record.program[0], true,
                              &code)) {
    code = OMEN_EXIT_NOTHING;
    recording.specs = &request->specs;
    recording.stop = omen_interrupt_flag ();
    s.runners = omen_zalloc (count, sizeof *s.runners);
    s.fds = omen_zalloc (2 * count, sizeof *s.fds);
    omen_interrupt_begin ();
    serve_runners (&s, &recording, request, &err);
    omen_free (s.runners);
    omen_free (s.fds);
    code = omen_interrupt_end (err.set ? omen_fail (OMEN_EXIT_USAGE, &err)
                                       : code);
  }
  omen_recording_fini (&recording);
  return code;
}
