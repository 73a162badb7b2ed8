/* A woven library with a constructor. */
static int made;

__attribute__ ((constructor)) static void
make (void)
{
  made = 5;
}

int
plugin_value (void)
{
  return made;
}
