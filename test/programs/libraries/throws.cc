/* exceptions that come out of a library */
void plain_throw (int value);

volatile int seen;

int
main ()
{
  for (int i = 0; i < 2; i++)
    try {
      plain_throw (i);
    } catch (int value) {
      seen += value;
    }
  seen++;
  return seen != 2;
}
