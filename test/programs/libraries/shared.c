/* OpenMP: all threads add to one sum, and nothing keeps them apart */
static int data[8];
static volatile int sum;

int
main (void)
{
  for (int i = 0; i < 8; i++)
    data[i] = i;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; i++)
    sum = sum + data[i];
  return sum > 28;
}
