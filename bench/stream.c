/* stream.c: measures the memory bandwidth of this machine with all cores: prints GB/s of reading, and of a = b + c with
 * non-temporal stores. Workloads bound by bandwidth are compared with these two. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { ROUNDS = 7, MAX_THREADS = 256 };
static const size_t NBYTES = (size_t)256 << 20;

typedef float vector __attribute__((vector_size(64)));
typedef struct share {
    vector *a, *b, *c;
    size_t count;
    vector sum;
} share;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void store_past_caches(vector *to, vector value)
{
#ifdef __x86_64__
    union {
        vector whole;
        __m128 part[4];
    } u = {value};
    for (int i = 0; i < 4; i++)
        _mm_stream_ps((float *)to + 4 * i, u.part[i]);
#else
    *to = value;
#endif
}

static void *read_all(void *data)
{
    share *s = data;
    vector sum[4] = {{0}};
    for (size_t i = 0; i + 4 <= s->count; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += s->b[i + k];
    s->sum = sum[0] + sum[1] + sum[2] + sum[3];
    return NULL;
}

static void *add_all(void *data)
{
    share *s = data;
    for (size_t i = 0; i < s->count; i++)
        store_past_caches(&s->a[i], s->b[i] + s->c[i]);
    return NULL;
}

/* The best of a few rounds, in GB/s. */
static double measure(void *(*work)(void *), share *shares, int nthreads, double nbytes)
{
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[MAX_THREADS];
        double start = now_s();
        for (int i = 0; i < nthreads; i++)
            if (pthread_create(&threads[i], NULL, work, &shares[i]) != 0)
                exit(1);
        for (int i = 0; i < nthreads; i++)
            pthread_join(threads[i], NULL);
        double seconds = now_s() - start;
        best = seconds < best ? seconds : best;
    }
    return nbytes / best / 1e9;
}

static vector *allocate(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, (size_t)2 << 20, NBYTES) != 0)
        exit(1);
    madvise(memory, NBYTES, MADV_HUGEPAGE);
    for (size_t i = 0; i < NBYTES / sizeof(float); i++)
        ((float *)memory)[i] = 1.0f;
    return memory;
}

int main(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int nthreads = cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int)cores;
    vector *a = allocate(), *b = allocate(), *c = allocate();
    share shares[MAX_THREADS] = {0};
    size_t count = NBYTES / sizeof(vector) / (size_t)nthreads;
    for (int i = 0; i < nthreads; i++)
        shares[i] = (share){a + count * i, b + count * i, c + count * i, count, {0}};
    double nbytes = (double)(count * sizeof(vector) * (size_t)nthreads);
    double reading = measure(read_all, shares, nthreads, nbytes);
    double adding = measure(add_all, shares, nthreads, 3 * nbytes);
    printf("%.2f\t%.2f\n", reading, adding);
    return 0;
}
