#include "driver/ranks/packet.h"
#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

typedef struct head {
  uint32_t kind, number;
  uint64_t size;
} head;

static bool
send_all (int socket, const void *data, size_t size)
{
  for (size_t done = 0; done < size;) {
    ssize_t n
        = send (socket, (const char *)data + done, size - done, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

bool
omen_packet_send (int socket, omen_packet_kind kind, uint32_t number,
                  const void *data, size_t size)
{
  head h = { kind, number, size };
  return send_all (socket, &h, sizeof h) && send_all (socket, data, size);
}

enum { POLL_MS = 100 };

static bool
get_all (int socket, void *data, size_t size, const omen_stop_flag *stop)
{
  for (size_t done = 0; done < size;) {
    struct pollfd fd = { socket, POLLIN, 0 };
    if (stop && *stop)
      return false;
    if (poll (&fd, 1, POLL_MS) <= 0)
      continue;
    ssize_t n = recv (socket, (char *)data + done, size - done, 0);
    if (!n || (n < 0 && errno != EINTR))
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

bool
omen_packet_get (int socket, omen_packet *f, const omen_stop_flag *stop)
{
  head h;
  if (!get_all (socket, &h, sizeof h, stop) || h.kind >= OMEN_PACKET_KINDS)
    return false;
  *f = (omen_packet){ h.kind, h.number, h.size, omen_alloc (h.size + 1) };
  f->data[h.size] = 0;
  if (get_all (socket, f->data, h.size, stop))
    return true;
  omen_free (f->data);
  f->data = NULL;
  return false;
}
