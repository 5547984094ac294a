/* compile.c: NVRTC's rows on the cpu device, implemented with the system's C++ compiler.
 *
 * A compilation works in a private folder: the source file there has the program's name, so that the log says
 * "name:line"; compiler messages and image are files there too. Compilations share nothing; any number may run at once.
 * A program with name expressions is a raw kernel's source (source.c). */
#define _GNU_SOURCE 1
#include "cpu/compile/compile.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/interrupt.h"
#include "cpu/compile/compiled.h"
#include "cpu/compile/compiler.h"
#include "cpu/compile/include.h"
#include "cpu/compile/ptx.h"
#include "cpu/compile/source.h"
#include "cpu/compile/target.h"
#include "cpu/execute/raw.h"

#define MAX_ARGUMENTS 256
#define SYMBOL_NBYTES 32
#define IMAGE         "image~" /* no source can have this name: see keep_name */

/* Warnings are off because kernel text is generated. Standard start files and libraries cost a quarter of a small
 * kernel's compile time: the few that code may need are named in libraries[] and linked only when it does. */
static const char *const flags[] = {
    "-std=c++14",
    "-O3",
    "-march=native",
    "-fPIC",
    "-shared",
    "-nostdlib",
    "-pipe",
    "-w",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=off",
    "-fsigned-char", /* as in CUDA */
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-fvisibility=hidden",
#if defined(__x86_64__)
    "-fcf-protection=none",
    "-mprefer-vector-width=512", /* newer compilers prefer half, to which vector functions would be padded */
#endif
    NULL,
};

/* Options that clang does not support. */
static const char *const gcc_flags[] = {
    "-fno-tree-loop-distribute-patterns", /* short copies stay loops: rep movs starts slowly */
    "-fno-tree-sink", /* a call whose result is one of two chosen ones is not moved into a branch, but vectorised */
    "-fno-tree-slp-vectorize", /* GCC 12 makes FMAs of pairs of a product's sum and difference, in spite of contract=off */
    "-fvect-cost-model=unlimited", /* the widest vectors: narrow ones, for elements far apart, cost each call as much */
    NULL,
};

/* For raw kernels, after the others. Variables are found by name, but cannot be replaced by those of other modules; and
 * CUDA programs read floats as integers. */
static const char *const raw_flags[] = {
    "-std=c++17",
    "-fvisibility=default",
    "-fno-semantic-interposition",
    "-Wl,-Bsymbolic",
    "-fno-strict-aliasing",
    "-fstack-clash-protection", /* an overflow hits the stack's guard page, however large the frame */
    "-fno-threadsafe-statics",  /* `__shared__` objects: a block runs in one thread */
    "-fno-omit-frame-pointer", /* a call is identified by its call stack, which runtime/cpu/execute/fibers.c follows: */
    "-fno-optimize-sibling-calls",
    NULL,
};

/* Modules are separate and can be unloaded; errors are reported where a macro is used; two calls are not merged into
 * one. Users' loops are as long as they are. */
static const char *const raw_gcc_flags[] = {
    "-fno-gnu-unique",      "-ftrack-macro-expansion=0", "-fno-crossjumping",
    "-fno-tree-tail-merge", "-fvect-cost-model=dynamic", NULL,
};

/* CUDA programs pass values to the other lanes of which only the leader's is initialised; clang would conclude that all
 * lanes are the leader. And two calls are not merged into one. */
static const char *const raw_clang_flags[] = {
    "-ftrivial-auto-var-init=pattern", "-mllvm", "-sink-common-insts=false", "-mllvm", "-enable-tail-merge=false", NULL,
};

/* An undefined function is an error of the compilation, with a message, and not of the load, without one. */
static const char *const libraries[] = {
    "-Wl,--as-needed",
    "-Wl,-z,defs",
#if defined(__x86_64__)
    "-lmvec",
#endif
    "-lm",
    "-lgcc",
    "-lc",
    NULL,
};

struct arguments {
    int count;
    const char *words[MAX_ARGUMENTS + 1];
};

static bool add(struct arguments *arguments, const char *word)
{
    if (arguments->count == MAX_ARGUMENTS)
        return false;
    arguments->words[arguments->count++] = word;
    arguments->words[arguments->count] = NULL;
    return true;
}

static bool add_list(struct arguments *arguments, const char *const *words)
{
    while (*words != NULL)
        if (!add(arguments, *words++))
            return false;
    return true;
}

/* Splits `text` at spaces. */
static bool add_words(struct arguments *arguments, char *text)
{
    char *word;
    while ((word = strsep(&text, " ")) != NULL)
        if (*word != 0 && !add(arguments, word))
            return false;
    return true;
}

static void set_log(nvrtc_program program, char *log)
{
    free(program->log);
    program->log = log;
}

static cu_result fail(nvrtc_program program, cu_result result, const char *words, const char *detail)
{
    char *log = NULL;
    if (asprintf(&log, "%s%s", words, detail) < 0)
        log = NULL;
    set_log(program, log);
    return result;
}

static cu_result add_options(struct arguments *arguments, nvrtc_program program, int noptions,
                             const char *const *options)
{
    for (int i = 0; i < noptions; i++) {
        const char *word;
        if (!cuna__cpu_options_find(&word, options[i]))
            return fail(program, NVRTC_INVALID_OPTION, "unknown option ", options[i]);
        if (word != NULL && !add(arguments, word))
            return fail(program, NVRTC_INVALID_OPTION, "too many options, at ", options[i]);
    }
    return NVRTC_SUCCESS;
}

static cu_result add_raw_options(struct arguments *arguments, nvrtc_program program)
{
    for (int i = 0; i < program->options.count; i++)
        if (!add(arguments, program->options.words[i]))
            return fail(program, NVRTC_INVALID_OPTION, "too many options, at ", program->options.words[i]);
    return NVRTC_SUCCESS;
}

static cu_result no_compiler(nvrtc_program program)
{
    const char *asked = cuna__environment_text("CUNA_CXX");
    if (asked != NULL)
        return fail(program, NVRTC_INTERNAL_ERROR, "no C++ compiler found: $CUNA_CXX names no program: ", asked);
    return fail(program, NVRTC_INTERNAL_ERROR,
                "no C++ compiler found: looked for $CUNA_CXX, $CXX, g++, c++, clang++ "
                "on PATH; install g++ (apt-get install g++)",
                "");
}

/* A linker's messages name internal files: keep only the first undefined name. */
static cu_result explain_link(nvrtc_program program)
{
    static const char mark[] = "undefined reference to `";
    const char *name = strstr(cuna__cpu_compiled_log(program), mark);
    if (name == NULL)
        return NVRTC_COMPILATION;
    name += strlen(mark);
    char *copy = strndup(name, strcspn(name, "'\n"));
    if (copy == NULL)
        return NVRTC_OUT_OF_MEMORY;
    cu_result result = fail(program, NVRTC_COMPILATION, "declared or used, and not defined for the cpu device: ", copy);
    free(copy);
    return result;
}

/* What is cut off behind its first bytes, or made for another machine, the load refuses. */
static bool is_library(const char *image, size_t nbytes)
{
    return nbytes > SELFMAG && memcmp(image, ELFMAG, SELFMAG) == 0;
}

/* Reads the messages and the image that the compiler wrote. */
static cu_result collect(nvrtc_program program, const char *folder, int status)
{
    size_t nbytes;
    if (status < 0 && errno != 0)
        return fail(program, NVRTC_INTERNAL_ERROR, "the C++ compiler cannot be started: ", strerror(errno));
    set_log(program, cuna__folder_read(&nbytes, folder, CUNA_COMPILER_LOG));
    if (status == 0)
        program->image = cuna__folder_read(&program->image_nbytes, folder, IMAGE);
    if (program->image != NULL && is_library(program->image, program->image_nbytes))
        return NVRTC_SUCCESS;
    if (program->image != NULL)
        return fail(program, NVRTC_COMPILATION, "what the C++ compiler made is not a library", "");
    if (nbytes == 0)
        return fail(program, NVRTC_COMPILATION, "the C++ compiler failed without a message", "");
    return explain_link(program);
}

struct job {
    nvrtc_program program;
    const struct arguments *arguments;
    cu_result result;
};

static const char *compile_in(void *data, const char *folder)
{
    struct job *job = data;
    nvrtc_program program = job->program;
    const char *text = program->text != NULL ? program->text : program->source;
    bool reads =
        program->options.nlines > 0 || (program->nexpressions > 0 ? cuna__cpu_include_reads(program->source)
                                                                  : cuna__cpu_include_has_any(program->source));
    if (!cuna__folder_write(folder, program->name, text, strlen(text)) || (reads && !cuna__cpu_include_write(folder)))
        return strerror(errno);
    job->result = collect(program, folder, cuna__cpu_compiler_run(folder, job->arguments->words, true));
    if (job->result == NVRTC_SUCCESS || cuna_is_cancelled())
        return NULL;
    return cuna__folder_lack(folder, cuna__cpu_compiled_log(program));
}

static cu_result run_compiler(nvrtc_program program, const struct arguments *arguments)
{
    struct job job = {.program = program, .arguments = arguments};
    char *lacks = cuna__folder_with(false, compile_in, &job);
    cu_result result =
        lacks == NULL ? job.result : fail(program, NVRTC_INTERNAL_ERROR, "no place for the compiler's files: ", lacks);
    free(lacks);
    return result;
}

static bool is_clang(const cuna_compiler *compiler)
{
    const char *version;
    return cuna__cpu_target_version(&version, compiler) == CU_SUCCESS && strstr(version, "clang") != NULL;
}

static bool add_flags(struct arguments *arguments, nvrtc_program program, const cuna_compiler *compiler)
{
    bool clang = is_clang(compiler), raw = program->nexpressions > 0;
    return add_list(arguments, compiler->words) && add_list(arguments, flags) &&
           (clang || add_list(arguments, gcc_flags)) && (!raw || add_list(arguments, raw_flags)) &&
           (!raw || add_list(arguments, clang ? raw_clang_flags : raw_gcc_flags));
}

static cu_result translate(nvrtc_program program, int noptions, const char *const *options)
{
    cuna__cpu_options_free(&program->options);
    const char *unknown = cuna__cpu_options_translate(&program->options, noptions, options);
    if (unknown != NULL)
        return fail(program, NVRTC_INVALID_OPTION, "unknown option, one without its value, or one too many: ", unknown);
    free(program->text);
    program->text = cuna__cpu_source_translate(&program->has_regions, program->source, &program->options,
                                               program->nexpressions, program->expressions);
    return program->text != NULL ? NVRTC_SUCCESS : NVRTC_OUT_OF_MEMORY;
}

/* Of a program of cuna's in which a user's text is, where such a header is an error as well. */
static cu_result translate_part(nvrtc_program program)
{
    char words[256];
    if (cuna__cpu_include_refuses(words, sizeof words, program->source))
        return fail(program, NVRTC_COMPILATION, words, "");
    free(program->text);
    program->has_regions = false;
    program->text = cuna__cpu_ptx_translate(program->source);
    return NVRTC_SUCCESS;
}

/* Later options win: the caller's override ours, and the user's environment overrides both. */
static cu_result compile(nvrtc_program program, const cuna_compiler *compiler, int noptions, const char *const *options,
                         char *user_flags)
{
    struct arguments arguments = {.count = 0};
    char lanes[CUNA_FOLDER_NBYTES];
    bool raw = program->nexpressions > 0;
    cu_result result = raw ? translate(program, noptions, options) : translate_part(program);
    if (result != NVRTC_SUCCESS)
        return result;
    bool fits = add_flags(&arguments, program, compiler) &&
                add(&arguments, "-I" CUNA_INCLUDE_FOLDER); /* before the user's: CUDA's own are for GPUs */
    for (const char *at = raw ? program->source : NULL, *option; (option = cuna__cpu_include_option(&at)) != NULL;)
        fits = fits && add(&arguments, option);
    if (!raw && program->text != NULL)
        fits = fits && add(&arguments, "-DCUNA_WITH_PTX");
    if (strstr(program->source, "__v") != NULL)
        fits = fits && add(&arguments, "-DCUNA_WITH_SIMD");
    if (cuna__cpu_source_names_textures(program->source))
        fits = fits && add(&arguments, "-DCUNA_WITH_TEXTURE");
    result = raw ? add_raw_options(&arguments, program) : add_options(&arguments, program, noptions, options);
    if (result != NVRTC_SUCCESS)
        return result;
    fits = fits && add(&arguments, "-x") && add(&arguments, "c++") && add(&arguments, program->name) &&
           add(&arguments, "-x") && add(&arguments, "none") && add(&arguments, "-o") && add(&arguments, IMAGE);
    if (cuna__cpu_compiler_lanes(lanes))
        fits = fits && add(&arguments, lanes);
    fits = fits && add_list(&arguments, libraries) && add_words(&arguments, user_flags);
    return fits ? run_compiler(program, &arguments) : fail(program, NVRTC_INVALID_OPTION, "too many options", "");
}

static char *read_user_flags(void)
{
    const char *text = cuna__environment_text("CUNA_CPU_FLAGS");
    return strdup(text != NULL ? text : "");
}

void cuna__cpu_compile_print_flags(FILE *out)
{
    char *user_flags = read_user_flags();
    const char *const *const lists[] = {flags, gcc_flags, raw_flags, raw_gcc_flags, raw_clang_flags};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const char *const *flag = lists[i]; *flag != NULL; flag++)
            fprintf(out, " %s", *flag);
    fprintf(out, " source:%d", CUNA_SOURCE_VERSION);
    for (const char *const *library = libraries; *library != NULL; library++)
        fprintf(out, " %s", *library);
    fprintf(out, " %s", user_flags != NULL ? user_flags : "");
    free(user_flags);
}

cu_result cuna__cpu_compile_version(int *major, int *minor)
{
    if (major == NULL || minor == NULL)
        return NVRTC_INVALID_INPUT;
    *major = 12;
    *minor = 0;
    return NVRTC_SUCCESS;
}

/* Any name is legal; the file's name keeps letters, digits, '_', '.' and '-', and does not begin with the last two. */
static void keep_name(char out[CUNA_COMPILED_NAME], const char *name)
{
    size_t length = 0;
    for (; name != NULL && name[length] != 0 && length < CUNA_COMPILED_NAME - 1; length++) {
        char c = name[length];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        out[length] = letter || (length > 0 && (c == '.' || c == '-')) ? c : '_';
    }
    out[length] = 0;
    if (length == 0)
        strcpy(out, "default_program");
}

cu_result cuna__cpu_compile_create(nvrtc_program *program, const char *source, const char *name, int nheaders,
                                   const char *const *headers, const char *const *include_names)
{
    (void)headers, (void)include_names;
    if (program == NULL || source == NULL || nheaders != 0)
        return NVRTC_INVALID_INPUT;
    nvrtc_program created = calloc(1, sizeof *created);
    if (created != NULL)
        created->source = strdup(source);
    if (created == NULL || created->source == NULL) {
        free(created);
        return NVRTC_OUT_OF_MEMORY;
    }
    keep_name(created->name, name);
    *program = created;
    return NVRTC_SUCCESS;
}

cu_result cuna__cpu_compile_destroy(nvrtc_program *program)
{
    if (program == NULL || *program == NULL)
        return NVRTC_INVALID_PROGRAM;
    for (int i = 0; i < (*program)->nexpressions; i++)
        free((*program)->expressions[i]);
    free((*program)->expressions);
    cuna__cpu_options_free(&(*program)->options);
    free((*program)->source);
    free((*program)->text);
    free((*program)->log);
    free((*program)->image);
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* The compiler is a process, which cuna_is_cancelled ends. */
cu_result cuna__cpu_compile_set_callback(nvrtc_program program, int (*is_ended)(void *, void *), void *payload)
{
    (void)payload;
    return program != NULL && is_ended != NULL ? NVRTC_SUCCESS : NVRTC_INVALID_INPUT;
}

cu_result cuna__cpu_compile_add_expression(nvrtc_program program, const char *expression)
{
    if (program == NULL)
        return NVRTC_INVALID_PROGRAM;
    if (expression == NULL || *expression == 0)
        return NVRTC_INVALID_INPUT;
    if (program->image != NULL)
        return NVRTC_EXPRESSIONS_CLOSED;
    size_t count = (size_t)program->nexpressions, nbytes = strlen(expression) + 1;
    char *copy = malloc(nbytes + SYMBOL_NBYTES), **grown = realloc(program->expressions, (count + 1) * sizeof *grown);
    /* realloc has freed the old list, so the new one is kept even if the copy failed. */
    if (grown != NULL)
        program->expressions = grown;
    if (copy == NULL || grown == NULL) {
        free(copy);
        return NVRTC_OUT_OF_MEMORY;
    }
    memcpy(copy, expression, nbytes);
    /* The symbol follows the NUL of its expression: one allocation holds both. */
    snprintf(copy + nbytes, SYMBOL_NBYTES, CUNA_RAW_PREFIX "%zu", count);
    grown[program->nexpressions++] = copy;
    return NVRTC_SUCCESS;
}

static cu_result compile_as(nvrtc_program program, const cuna_compiler *compiler, int noptions,
                            const char *const *options, bool has_regions)
{
    char *user_flags = read_user_flags();
    if (user_flags == NULL)
        return NVRTC_OUT_OF_MEMORY;
    program->has_regions = has_regions;
    cu_result result = compile(program, compiler, noptions, options, user_flags);
    free(user_flags);
    return result;
}

/* Where kernels were rewritten in a way that C++ does not accept, the source is compiled as it was, and the messages
 * are of that. */
cu_result cuna__cpu_compile_run(nvrtc_program program, int noptions, const char *const *options)
{
    cuna_compiler compiler;
    if (program == NULL)
        return NVRTC_INVALID_PROGRAM;
    if (noptions < 0 || (noptions > 0 && options == NULL))
        return NVRTC_INVALID_INPUT;
    set_log(program, NULL);
    free(program->image);
    program->image = NULL;
    if (!cuna__cpu_compiler_find(&compiler))
        return no_compiler(program);
    cu_result result = compile_as(program, &compiler, noptions, options, true);
    if (result == NVRTC_COMPILATION && program->has_regions && !cuna_is_cancelled())
        result = compile_as(program, &compiler, noptions, options, false);
    return result;
}
