#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int
main (void)
{
  struct sockaddr_un name = { AF_UNIX, "" }; /* the kernel finds one */
  socklen_t size = sizeof name;
  int server = socket (AF_UNIX, SOCK_STREAM, 0), client, end;
#ifdef BAD
  send (server, "x", 1, MSG_NOSIGNAL);
#endif
  bind (server, (struct sockaddr *)&name, sizeof (sa_family_t));
  getsockname (server, (struct sockaddr *)&name, &size);
  listen (server, 1);
  client = socket (AF_UNIX, SOCK_STREAM, 0);
  connect (client, (struct sockaddr *)&name, size);
  end = accept (server, NULL, NULL);
  send (client, "x", 1, MSG_NOSIGNAL);
  close (client);
  close (end);
  close (server);
  return 0;
}
