/* the library that throws them; compiled as it is */
void
plain_throw (int value)
{
  throw value;
}
