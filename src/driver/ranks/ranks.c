#include "driver/ranks/ranks.h"
#include "base/now.h"
#include "driver/home.h"
#include "driver/message.h"
#include "mpi/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MEET_SECONDS = 30, ANSWER_SECONDS = 5, PART_SECONDS = 3 };

/* ---- MPI ---- */

/* The number of processes that mpirun started. */
static long
started_with (void)
{
  static const char *const names[]
      = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE" };
  for (size_t i = 0; i < OMEN_COUNT (names); i++) {
    const char *value = secure_getenv (names[i]);
    long count = value ? strtol (value, NULL, 10) : 0;
    if (count > 0)
      return count;
  }
  return 1;
}

typedef struct module {
  void (*begin) (omen_mpi *mpi);
  void (*give) (void *data, unsigned size);
  void (*end) (void);
} module;

/* Never unloaded, which MPI does not support. */
static bool
load_module (module *m, omen_err *err)
{
  char *path = omen_home_find (OMEN_HOME_MPI, err);
  void *library = path ? dlopen (path, RTLD_NOW | RTLD_GLOBAL) : NULL;
  if (path && !library)
    omen_err_set (err, "", "%s", dlerror ());
  omen_free (path);
  if (!library)
    return false;
  *(void **)&m->begin = dlsym (library, "omen_mpi_begin");
  *(void **)&m->give = dlsym (library, "omen_mpi_give");
  *(void **)&m->end = dlsym (library, "omen_mpi_end");
  return (m->begin && m->give && m->end)
         || omen_err_set (err, "", "omen-mpi.so is of another omen");
}

bool
omen_ranks_possible (void)
{
  omen_err err = { 0 };
  module m;
  return load_module (&m, &err);
}

/* The program run by omen is no rank, and should behave the same in all of
   them. */
static void
forget_mpi (void)
{
  static const char *const prefixes[] = { "OMPI_", "PMIX_", "PMI_" };
  for (char **entry = environ; *entry;) {
    char name[256];
    bool its = false;
    snprintf (name, sizeof name, "%.*s", (int)strcspn (*entry, "="), *entry);
    for (size_t i = 0; i < OMEN_COUNT (prefixes); i++)
      its |= !strncmp (name, prefixes[i], strlen (prefixes[i]));
    if (!its || unsetenv (name))
      entry++;
  }
}

/* ---- connections ---- */

enum { ADDRESSES = 8 };

/* Sent by rank 0 to all. */
typedef struct invitation {
  char secret[16]; /* the port may be reachable for others */
  in_port_t port;
  uint32_t count;
  struct in_addr addresses[ADDRESSES];
} invitation;

/* The first message on a connection. */
typedef struct hello {
  char secret[16];
  uint32_t rank;
} hello;

/* The addresses of this machine that others can reach. */
static void
list_addresses (invitation *i)
{
  struct ifaddrs *all = NULL;
  if (getifaddrs (&all))
    return;
  for (struct ifaddrs *a = all; a && i->count < ADDRESSES; a = a->ifa_next) {
    struct sockaddr_in its;
    if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET)
      continue;
    memcpy (&its, a->ifa_addr, sizeof its);
    if (ntohl (its.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET)
      i->addresses[i->count++] = its.sin_addr;
  }
  freeifaddrs (all);
}

/* For request-response messages, and to detect dead machines. */
static void
set_up (int fd)
{
  int yes = 1;
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
}

static void
limit_answer (int fd, long seconds)
{
  struct timeval limit = { seconds, 0 };
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* ---- rank 0 ---- */

static int
new_socket (void)
{
  return socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* If all ranks are on one machine, only it can connect. */
static int
listen_for (invitation *i, bool together)
{
  const struct in_addr here = { htonl (INADDR_LOOPBACK) };
  struct sockaddr_in at = { .sin_family = AF_INET };
  socklen_t size = sizeof at;
  int fd = new_socket ();
  if (together)
    at.sin_addr = here;
  if (fd < 0 || bind (fd, (struct sockaddr *)&at, size)
      || listen (fd, SOMAXCONN)
      || getsockname (fd, (struct sockaddr *)&at, &size)
      || getrandom (i->secret, sizeof i->secret, 0) != sizeof i->secret) {
    omen_warn ("ranks cannot connect: %s", strerror (errno));
    return fd;
  }
  i->port = at.sin_port;
  if (together)
    i->addresses[i->count++] = here;
  else
    list_addresses (i);
  return fd;
}

static bool
is_invited (int fd, const invitation *i, hello *h)
{
  limit_answer (fd, ANSWER_SECONDS);
  bool ok = recv (fd, h, sizeof *h, MSG_WAITALL) == sizeof *h
            && !memcmp (h->secret, i->secret, sizeof h->secret);
  limit_answer (fd, 0);
  return ok;
}

static void
wait_for_all (omen_ranks *ranks, int listening, const invitation *i,
              size_t wanted)
{
  omen_deadline end = omen_deadline_in (MEET_SECONDS, NULL);
  struct pollfd fd = { listening, POLLIN, 0 };
  while (ranks->links.count < wanted && !omen_is_past (&end)) {
    hello h;
    int its = poll (&fd, 1, 100) > 0
                  ? accept4 (listening, NULL, NULL, SOCK_CLOEXEC)
                  : -1;
    if (its >= 0 && is_invited (its, i, &h)) {
      omen_rank_link link = { its, h.rank };
      set_up (its);
      OMEN_VEC_PUSH (ranks->links, link);
    } else if (its >= 0)
      close (its);
  }
  if (ranks->links.count < wanted)
    omen_warn ("of %zu connections from other ranks, %zu came", wanted,
               ranks->links.count);
}

/* ---- the others ---- */

static int
connect_to (const invitation *i, unsigned rank)
{
  hello h = { .rank = rank };
  memcpy (h.secret, i->secret, sizeof h.secret);
  for (uint32_t a = 0; a < i->count && a < ADDRESSES; a++) {
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = i->port,
                              .sin_addr = i->addresses[a] };
    int fd = new_socket ();
    limit_answer (fd, ANSWER_SECONDS);
    if (!connect (fd, (struct sockaddr *)&to, sizeof to)
        && send (fd, &h, sizeof h, MSG_NOSIGNAL) == sizeof h) {
      limit_answer (fd, 0);
      set_up (fd);
      return fd;
    }
    close (fd);
  }
  return -1;
}

static bool
connect_all (omen_ranks *ranks, const invitation *i, unsigned links)
{
  for (unsigned n = 0; n < links; n++) {
    omen_rank_link link = { connect_to (i, ranks->rank), 0 };
    if (link.socket < 0)
      return false;
    OMEN_VEC_PUSH (ranks->links, link);
  }
  return true;
}

/* ---- all of them ---- */

bool
omen_ranks_meet (omen_ranks *ranks, unsigned links, int *code)
{
  invitation i = { .count = 0 };
  omen_err err = { 0 };
  omen_mpi mpi;
  module m;
  int listening = -1;
  *ranks = (omen_ranks){ 0 };
  if (started_with () < 2)
    return true;
  if (!load_module (&m, &err))
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  m.begin (&mpi);
  ranks->rank = mpi.rank;
  if (!mpi.rank)
    listening = listen_for (&i, mpi.together);
  m.give (&i, sizeof i);
  m.end ();
  forget_mpi ();
  if (!mpi.rank) {
    wait_for_all (ranks, listening, &i,
                  i.count ? (size_t)links * (mpi.ranks - 1) : 0);
    if (listening >= 0)
      close (listening);
  } else if (!connect_all (ranks, &i, links)) {
    omen_err_set (&err, "", "rank %u cannot connect to rank 0", mpi.rank);
    omen_ranks_part (ranks);
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  }
  return true;
}

void
omen_ranks_part (omen_ranks *ranks)
{
  omen_deadline end = omen_deadline_in (PART_SECONDS, NULL);
  for (size_t i = 0; i < ranks->links.count; i++)
    shutdown (ranks->links.data[i].socket, SHUT_WR);
  for (size_t i = 0; i < ranks->links.count; i++) {
    struct pollfd fd = { ranks->links.data[i].socket, POLLIN, 0 };
    char rest[4096];
    while (!ranks->rank && !omen_is_past (&end)
           && (poll (&fd, 1, 100) <= 0
               || recv (fd.fd, rest, sizeof rest, MSG_DONTWAIT) > 0))
      continue;
    close (fd.fd);
  }
  OMEN_VEC_FINI (ranks->links);
}
