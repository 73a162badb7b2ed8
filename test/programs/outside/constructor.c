/* two load a library, whose constructor runs in one of them
   omen: none */
#include <dlfcn.h>
#include <pthread.h>

static void *
user (void *arg)
{
  void *library = dlopen ("./plugin.so", RTLD_NOW);
  int (*value) (void) = (int (*) (void))dlsym (library, "plugin_value");
  if (value () != 5)
    __builtin_trap ();
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, user, NULL);
  pthread_create (&b, NULL, user, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
