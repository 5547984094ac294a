// Keeps each of its threads busy for a number of the processor's cycles, for kernels of a chosen length.
extern "C" __global__ void spin(long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
