// SPDX-License-Identifier: Apache-2.0
// Environment variables: whether one is set, and to what, is an input the first time
// it is asked for; what the program sets itself counts from then on.
#define _GNU_SOURCE 1
#include "world.h"
#include <errno.h>
#include <stdlib.h>

char *czrt_real_getenv(const char *name);
int czrt_real_setenv(const char *name, const char *value, int overwrite);
int czrt_real_unsetenv(const char *name);
int czrt_real_putenv(char *text);

struct variable {
    struct variable *next;
    char *name, *value; // value NULL: not set
    int is_own;         // set by the program
};

static struct variable *variables;

static char *copy_of(const char *text, size_t n)
{
    char *copy = cz_new(0, n + 1, 0);
    __builtin_memcpy(copy, text, n);
    return copy;
}

static struct variable *find(const char *name, size_t n)
{
    struct variable *variable = variables;
    while (variable && (czm_strncmp(variable->name, name, n) != 0 || variable->name[n] != 0))
        variable = variable->next;
    return variable;
}

static struct variable *enter(const char *name, size_t n)
{
    struct variable *variable = cz_new(0, sizeof *variable, 0);
    variable->name = copy_of(name, n);
    variable->next = variables;
    variables = variable;
    return variable;
}

char *czm_getenv(const char *name)
{
    if (!czrt_in_run())
        return czrt_real_getenv(name);
    size_t n = czm_strlen(name);
    if (n == 0)
        return NULL;
    struct variable *variable = find(name, n);
    if (!variable) {
        variable = enter(name, n);
        cz_path at = czrt_root_named("env:", name, 0);
        if (cz_present(at)) {
            variable->value = cz_text(at, czm_text_bytes());
            cz_array(at, variable->value, CZ_I8, czm_text_bytes());
        }
    }
    if (variable->is_own)
        czrt_presume_success();
    return variable->value;
}

char *czm_secure_getenv(const char *name)
{
    return czm_getenv(name);
}

int czm_setenv(const char *name, const char *value, int overwrite)
{
    if (!czrt_in_run())
        return czrt_real_setenv(name, value, overwrite);
    size_t n = name ? czm_strlen(name) : 0;
    if (n == 0 || czm_strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    if (!overwrite && czm_getenv(name))
        return 0;
    struct variable *variable = find(name, n);
    if (!variable)
        variable = enter(name, n);
    variable->value = copy_of(value, czm_strlen(value));
    variable->is_own = 1;
    return 0;
}

int czm_unsetenv(const char *name)
{
    if (!czrt_in_run())
        return czrt_real_unsetenv(name);
    size_t n = name ? czm_strlen(name) : 0;
    if (n == 0 || czm_strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    struct variable *variable = find(name, n);
    if (!variable)
        variable = enter(name, n);
    variable->value = NULL;
    variable->is_own = 0;
    return 0;
}

// The text becomes a part of the environment: who changes it changes the variable.
int czm_putenv(char *text)
{
    if (!czrt_in_run())
        return czrt_real_putenv(text);
    const char *equals = czm_strchr(text, '=');
    if (!equals)
        return czm_unsetenv(text);
    size_t n = (size_t)(equals - text);
    struct variable *variable = find(text, n);
    if (!variable)
        variable = enter(text, n);
    variable->value = (char *)equals + 1;
    variable->is_own = 1;
    return 0;
}
