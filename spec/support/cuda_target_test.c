/* Checks how kernels are compiled for CUDA devices that are not here, and what is said without CUDA: ends with status 0
 * and prints nothing when all holds. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "seam/driver.h"
#include "cuda/header.h"
#include "cuda/target.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* What versions of NVRTC know, ascending. 10.1 of CUDA 12 is the same GPU as 11.0 of CUDA 13. */
static const int cuda12_4[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
static const int cuda12_8[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120};
static const int cuda12_9[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};
static const int cuda13[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
static const int sparse[] = {70, 80, 100};

#define OF(list) COUNT(list), list

/* What is chosen for a capability that none of them names; those that are named get their own binary. */
static const struct choice {
    int count;
    const int *archs;
    int capability, number;
    bool is_ptx;
} choices[] = {
    {OF(cuda12_4), 100, 90, true},  {OF(cuda12_4), 91, 90, true},    {OF(cuda12_4), 103, 90, true},
    {OF(cuda12_4), 88, 87, true},   {OF(cuda12_4), 121, 90, true},   {OF(cuda12_8), 103, 100, false},
    {OF(cuda12_8), 121, 120, false}, {OF(cuda12_8), 110, 101, true}, {OF(cuda12_8), 88, 87, true},
    {OF(cuda12_8), 102, 101, true}, {OF(cuda12_9), 110, 103, true},  {OF(cuda12_9), 104, 103, true},
    {OF(cuda13), 101, 100, true},   {OF(cuda13), 122, 121, true},    {OF(cuda13), 200, 121, true},
    {OF(cuda13), 70, 0, false},     {OF(cuda13), 61, 0, false},      {OF(sparse), 75, 70, false},
    {OF(sparse), 72, 70, true},     {OF(sparse), 86, 80, false},     {OF(sparse), 89, 80, false},
    {OF(sparse), 87, 80, true},     {OF(sparse), 90, 80, true},      {OF(sparse), 101, 100, true},
    {OF(sparse), 103, 100, false},  {OF(sparse), 120, 100, true},    {0, cuda13, 90, 0, false},
};

static bool chooses(const struct choice *c)
{
    cuna_arch arch = cuna__cuda_target_choose(c->count, c->archs, c->capability);
    if (arch.number == c->number && arch.is_ptx == c->is_ptx)
        return true;
    printf("%d of %d architectures from %d on: %s_%d\n", c->capability, c->count, c->archs[0],
           arch.is_ptx ? "compute" : "sm", arch.number);
    return false;
}

static void check_named(int count, const int *archs)
{
    for (int i = 0; i < count; i++)
        CHECK(chooses(&(struct choice){count, archs, archs[i], archs[i], false}));
}

static void check_choices(void)
{
    for (int i = 0; i < COUNT(choices); i++)
        CHECK(chooses(&choices[i]));
    check_named(OF(cuda12_4));
    check_named(OF(cuda12_8));
    check_named(OF(cuda12_9));
    check_named(OF(cuda13));
}

static int capability, compiler_result, compiler_version = 13000;

static cu_result get_attribute(int *value, int attribute, cu_device device)
{
    if (device != 1)
        return CU_ERROR_INVALID_DEVICE;
    *value = attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? capability / 10 : capability % 10;
    return CU_SUCCESS;
}

static cu_result get_version(int *version)
{
    *version = 13020;
    return CU_SUCCESS;
}

static cu_result get_compiler_version(int *major, int *minor)
{
    *major = compiler_version / 1000;
    *minor = compiler_version / 10 % 100;
    return CU_SUCCESS;
}

static cu_result get_count(int *count)
{
    *count = COUNT(cuda13);
    return compiler_result;
}

static cu_result get_archs(int *archs)
{
    memcpy(archs, cuda13, sizeof cuda13);
    return CU_SUCCESS;
}

static void check_targets(void)
{
    const cuna_driver driver = {
        .driver_get_version = get_version,
        .device_get_attribute = get_attribute,
        .nvrtc_version = get_compiler_version,
        .nvrtc_get_num_supported_archs = get_count,
        .nvrtc_get_supported_archs = get_archs,
    };
    static cuna_target target;
    CHECK(cuna__cuda_target_oldest(&driver) == 75);
    capability = 90;
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_SUCCESS && !target.is_ptx);
    CHECK(target.noptions > 1 && target.noptions <= COUNT(target.options));
    CHECK(strcmp(target.options[0], "--gpu-architecture=sm_90") == 0);
    CHECK(strncmp(target.text, "nvrtc 13.0\n", 11) == 0 && strstr(target.text, "driver") == NULL);
    CHECK(target.nown_options == target.noptions + 1 && target.nown_options <= COUNT(target.options));
    for (int i = 0; i < target.nown_options; i++)
        CHECK(strstr(target.text, target.options[i]) != NULL);
    compiler_version = 12060;
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_SUCCESS && target.nown_options == target.noptions);
    compiler_version = 13000;
    capability = 130;
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_SUCCESS && target.is_ptx);
    CHECK(strcmp(target.options[0], "--gpu-architecture=compute_121") == 0);
    CHECK(strstr(target.text, "compute_121\n") && strstr(target.text, "driver 13020\n"));
    capability = 61;
    target.text[0] = '\0';
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_ERROR_NOT_FOUND && target.text[0] == '\0');
    CHECK(cuna__cuda_target(&target, &driver, 0) == CU_ERROR_INVALID_DEVICE);
    compiler_result = CU_ERROR_NOT_FOUND;
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_ERROR_NOT_FOUND && cuna__cuda_target_oldest(&driver) == 0);
    compiler_result = 3; /* NVRTC_ERROR_INVALID_INPUT differs from CU_ERROR_NOT_INITIALIZED */
    CHECK(cuna__cuda_target(&target, &driver, 1) == CU_ERROR_UNKNOWN);
}

/* Says which folders have headers for a library. */
static int print_folders(const char *path)
{
    cuna_library library = {.handle = NULL};
    if (!cuna__library_open(&library, path))
        return 1;
    cuna__header_find(&library);
    for (const char **folder = cuna__header_folders; *folder != NULL; folder++)
        puts(*folder);
    return 0;
}

/* With an argument: says how CUDA's start ended, twice, and how its first device's kernels are compiled. With two: which
 * folders have headers for a library. */
int main(int argc, char **argv)
{
    const cuna_driver *driver = NULL;
    static cuna_target target;
    if (argc == 3)
        return print_folders(argv[2]);
    if (argc == 1) {
        check_choices();
        check_targets();
        return failures != 0;
    }
    for (int i = 0; i < 2; i++) {
        bool failed = cuna__driver_cuda(&driver) != CUNA_OK;
        puts(failed ? cuna_message() : "ready");
    }
    if (driver != NULL && driver->facts.target(&target, 0) == CU_ERROR_NOT_FOUND)
        puts(driver->facts.remedy);
    fputs(target.text, stdout);
    return 0;
}
