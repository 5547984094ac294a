/* processor.c: what the system says of its processors. */
#include "cpu/processor.h"

#include <stdio.h>
#include <string.h>

/* "model name : text" of the first processor; not every architecture has the line. */
bool cuna__cpu_read_model(char *name, size_t nbytes)
{
    char line[512];
    bool found = false;
    FILE *info = fopen("/proc/cpuinfo", "re");
    while (info != NULL && !found && fgets(line, sizeof line, info) != NULL) {
        const char *text = strchr(line, ':');
        found = text != NULL && strncmp(line, "model name", 10) == 0;
        if (found)
            snprintf(name, nbytes, "%.*s", (int)strcspn(text + 2, "\n"), text + 2);
    }
    if (info != NULL)
        fclose(info);
    return found;
}
