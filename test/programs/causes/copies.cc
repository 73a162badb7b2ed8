// One mistake in a template of which the program has many copies.
#include <pthread.h>

template <class T> struct counter {
  static T count;
  static void
  add ()
  {
    count = count + 1;
  }
};
template <class T> T counter<T>::count;

template <class... All>
static void
add_all ()
{
  (counter<All>::add (), ...);
}

static void *
run (void *arg)
{
  add_all<char, short, int, long, unsigned, float, double> ();
  return arg;
}

int
main ()
{
  pthread_t one, two;
  pthread_create (&one, nullptr, run, nullptr);
  pthread_create (&two, nullptr, run, nullptr);
  pthread_join (one, nullptr);
  pthread_join (two, nullptr);
  return 0;
}
