// SPDX-License-Identifier: Apache-2.0
// Assembly, code at fixed addresses, setjmp() and threads: what they may do to memory.
#include <pthread.h>
#include <setjmp.h>

static int shared;
int *share(void) { return &shared; }

int barrier(void)
{
    shared = 1;
    __asm__ volatile("nop" ::: "memory");
    if (shared == 2) /* written */
        return 1;
    return 0;
}

int operand(void)
{
    int x = 1;
    __asm__ volatile("nop" : : "r"(&x) : "memory");
    if (x == 2) /* written */
        return 1;
    return 0;
}

int operand_as_number(void)
{
    int x = 1;
    __asm__ volatile("nop" : : "r"((unsigned long)&x) : "memory");
    if (x == 2) /* written */
        return 1;
    return 0;
}

int boot_loader(void)
{
    int x = 1;
    ((void (*)(int *))0x8000)(&x);
    if (x == 5) /* written */
        return 1;
    return 0;
}

int boot_pointer(void)
{
    int *p = ((int *(*)(void))0x8000)();
    if (!p) /* null */
        return 1;
    return 0;
}

int hidden_number(unsigned long v)
{
    char *p;
    __asm__("" : "=r"(p) : "0"(v));
    if (p == (char *)64) /* covered */
        return 1;
    return 0;
}

int hidden_pointer(int *q)
{
    unsigned long v;
    __asm__("" : "=r"(v) : "0"(q));
    if (q && *(int *)v == 9) /* covered */
        return 1;
    return 0;
}

int comes_back(int v)
{
    jmp_buf b;
    int x = 0;
    if (setjmp(b) == 0) {
        x = v;
        longjmp(b, 1);
    }
    if (x == 3) /* covered */
        return 1;
    return 0;
}

int joined(pthread_t t)
{
    void *result = 0;
    pthread_join(t, &result);
    if (result) /* returned */
        return 1;
    return 0;
}

extern char **environ;
int first_variable(void)
{
    if (environ && environ[0] && environ[0][0] == 'P') /* covered */
        return 1;
    return 0;
}

int uninitialised(int a)
{
    int x;
    if (a > 3)
        x = 1;
    if (x)
        return 1;
    return 0;
}
