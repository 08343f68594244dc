// SPDX-License-Identifier: Apache-2.0
// Memory at fixed addresses and volatile objects, read in ways that are no inputs.
#include <stdint.h>
#include <string.h>

int pointer_in_register(void)
{
    void *p = *(void *volatile *)0x40000000;
    if (p) /* open */
        return 1;
    return 0;
}

int pointer_in_memory(void)
{
    void *p = *(void **)0x40000008;
    if (p) /* open */
        return 1;
    return 0;
}

int pointer_by_number(unsigned n)
{
    if (n > 3)
        return 0;
    void *p = *(void *volatile *)(uintptr_t)(0x40000100u + 8 * n);
    if (p) /* open */
        return 1;
    return 0;
}

int flash(unsigned i)
{
    const uint8_t *bytes = (const uint8_t *)0x08010000;
    if (i < 16 && bytes[i] == 0xff) /* open */
        return 1;
    return 0;
}

struct settings { uint32_t magic; uint16_t version; };
static int check(const struct settings *s)
{
    if (s->magic == 0xdeadbeef) /* open */
        return 1;
    return 0;
}
int settings(void) { return check((const struct settings *)0x20000000); }

static struct settings *const copies[] = {(struct settings *)0x20000100, (struct settings *)0x20000200};
int table(unsigned i)
{
    if (copies[i & 1]->version == 7) /* open */
        return 1;
    return 0;
}

int block(unsigned n)
{
    uint8_t bytes[8] = {0};
    if (n > 8)
        return 0;
    memcpy(bytes, (void *)0x20001000, n);
    if (bytes[0] == 5) /* open */
        return 1;
    return 0;
}

int library(void)
{
    if (memcmp((void *)0x20002000, "AB", 2) == 0) /* open */
        return 1;
    return 0;
}

struct record { int x, y, z, w; } record;
int record_behind(volatile struct record *p)
{
    struct record a = *p, b = *p;
    if (a.x != b.x) /* open */
        return 1;
    return 0;
}

int record_of_file(void)
{
    struct record a = *(volatile struct record *)&record, b = *(volatile struct record *)&record;
    if (a.x != b.x) /* open */
        return 1;
    return 0;
}

int given_to_device(void)
{
    volatile int done = 0;
    *(volatile uint32_t *)0x40001000 = (uint32_t)(uintptr_t)&done;
    if (done) /* open */
        return 1;
    return 0;
}

static volatile uint32_t *const port = (volatile uint32_t *)0x40003000;
static int is_port(volatile uint32_t *p)
{
    uintptr_t address = (uintptr_t)p;
    if (address == 0x40003000u) /* open */
        return 1;
    return 0;
}
int number(void) { return is_port(port); }

const volatile int calibration = 5;
int constant(void)
{
    if (calibration == 1)
        if (calibration == 2) /* presumed */
            return 1;
    return 0;
}

struct uart { volatile uint32_t status, data; };
#define UART ((struct uart *)0x40004000)
static struct uart *const uarts[] = {UART, UART + 1};
static int receive(struct uart *u)
{
    if (u->status > 9 && u->status < 9)
        return -1;
    uint32_t data = u->data;
    if (data < 9 && data > 9) /* never */
        return 1;
    return 0;
}
int volatile_only(unsigned i) { return receive(UART) + receive(uarts[i & 1]); }

int waits(uint8_t a)
{
    while (*(volatile uint8_t *)0x40005000 == 0)
        ;
    if (a * a == 7) /* cut off */
        return 1;
    return 0;
}
