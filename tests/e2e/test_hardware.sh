# SPDX-License-Identifier: Apache-2.0
# Embedded C as it is: registers, volatile variables, assembly, keywords and headers of
# other compilers, endless loops. Every kind of access reaches all of its branches without
# a flag, engine and llvm-cov agree, and the tests replay.
. "$(dirname "$0")/lib.sh"

# complete NAME FILE [options]: everything covered, nothing disagrees, replay is the same
complete() {
    name=$1 file=$2; shift 2
    if ! out=$("$cadenza" run "$file" -o "$name" --time 20 "$@" 2>&1); then
        not_ok "$name runs" "$out"; return
    fi
    ok "$name runs"
    equals "$name: nothing open" 0 "$(json "$name/summary.json" '$.totals.branches_undetermined')"
    equals "$name: no condition open" 0 "$(json "$name/summary.json" '$.totals.conditions_undetermined')"
    equals "$name: engine and llvm-cov agree" '[]' "$(json "$name/summary.json" '$.disagreements')"
    check "$name: tests replay identically" "$cadenza" replay "$name"
}
covered() { json "$1/summary.json" '$.totals.branches_covered'; }
# an input of some test: FILE-PATTERN
has_input() { check "$1: input $2" grep -rqE "^input $2 " "$1/tests"; }
has_no_input() {
    if grep -rqE "^input $2 " "$1/tests"; then not_ok "$1: no input $2"; else ok "$1: no input $2"; fi
}
assumes() { check "$1: assumption $2" grep -qF "$2" "$1/goals.txt"; }

# ---- a newcomer's file: a poll loop, cpsid, a 24-bit bit-field in a register ----
complete uart "$root/examples/uart.c"
equals "uart: all 10 branches" 10 "$(covered uart)"
has_input uart 'UART->status#2 \| uint32_t'
has_input uart 'CLOCK_READY#1 \| uint32_t'
has_input uart 'UART->control#1'
assumes uart 'assumption of receive: assembly "cpsid i" is left out (uart.c:34)'
equals "uart: assumptions in summary.json" 'assembly "cpsid i" is left out (uart.c:34)' \
    "$(json uart/summary.json '$.tasks[0].assumptions[0]')"

# ---- registers ----
cat >registers.c <<'C'
#include <stdint.h>
struct port { volatile uint32_t in, out; uint32_t shadow; volatile uint32_t lanes[4]; };
#define PORT_A ((struct port *)0x48000000)
#define STATUS (*(volatile uint32_t *)0xE000E010u)
#define PLAIN (*(uint32_t *)0x1FFF7A10)
#define LOW (*(volatile uint8_t *)0x25)
static struct port *const port_b = (struct port *)(0x48000000 + 0x400);
static struct port *const ports[] = {PORT_A, (struct port *)0x48000400, (struct port *)0x48000800};
struct __attribute__((packed)) three { uint32_t value : 24; };
#define THREE (*(volatile struct three *)0x48001001)

int fresh(void) { if (STATUS == 1 && STATUS == 2) return 1; return 0; } /* two reads, two values */
int reads_back(void) { PORT_A->shadow = 7; if (PORT_A->shadow == 7) return 1; return 0; }
int plain(void) { if (PLAIN == 9) { if (PLAIN == 9) return 1; } return 0; } /* keeps its value */
int low(void) { if (LOW & 0x80) return 1; LOW |= 1; return 0; }
int constant_pointer(void) { if (port_b->in == 77) return 1; return 0; }
int table(unsigned i) { if (i > 2) return 0; if (ports[i]->in == 5 && i == 1) return 1; return 2; }
int lanes(unsigned i) { if (i > 3) return 0; if (PORT_A->lanes[2] == 8) return 1; return PORT_A->lanes[i] == 9; }
static int through(struct port *p) { p->out = 3; return p->in == 6; }
int passed_on(void) { if (through(PORT_A)) return 1; return 0; }
int bits(void) { if (THREE.value == 0xabcdef) return 1; return 0; }
int by_number(unsigned n) { uint32_t base = 0x48000000u + (n & 1) * 0x400u;
    volatile uint32_t *p = (volatile uint32_t *)(uintptr_t)base; *p = 1; if (*p == 44) return 1; return 0; }
int copy(void) { struct port all = *(volatile struct port *)PORT_A; if (all.lanes[1] == 3) return 1; return 0; }
static volatile uint8_t *chosen(unsigned n) { return (volatile uint8_t *)(uintptr_t)(0x20u + (n & 3u)); }
int by_table(unsigned n) { volatile uint8_t *p = chosen(n); if (*p == 3 && n == 2) return 1; return 0; }
int narrow(void) { volatile uint8_t *p = (volatile uint8_t *)(uint16_t)(uintptr_t)&LOW; *(volatile uint8_t *)((uint16_t)(uintptr_t)&LOW) |= 2; return *p == 5; }
int address(void) { if ((uint32_t)(uintptr_t)PORT_A == 0x48000000u) return 1; return 0; }
int rom(int x) { int (*f)(int) = (int (*)(int))0x1000; return x; }
int call_rom(int x) { if (((int (*)(int))0x08000101)(x) == 3) return 1; return 0; }
int wait_both(void) { while (!(PORT_A->in & 1) && !(port_b->in & 2)) { } return PORT_A->out == 4; }
C
complete registers registers.c
equals "registers: a written register reads back" 1 \
    "$(sqlite3 registers/cadenza.db "select branches_infeasible from tasks where function = 'reads_back'")"
has_input registers 'STATUS#2 \| uint32_t'
has_input registers 'PLAIN#1'
has_no_input registers 'PLAIN#2'
has_input registers 'LOW#1 \| uint8_t'
has_input registers 'port_b->in#1 \| uint32_t'
has_input registers 'PORT_A->lanes\[2\]#1'
has_input registers 'THREE#1 \| unsigned:24'
has_input registers 'code_0x08000101#1'
assumes registers 'the code at 0x08000101 that it calls is left out'

# ---- volatile variables ----
cat >volatile.c <<'C'
#include <stdint.h>
#include <stdbool.h>
volatile uint8_t flag;
volatile bool ready;
volatile float temperature;
extern volatile int16_t elsewhere;
const volatile uint16_t limit = 100;
struct box { volatile int16_t level; int plain; } box;
static volatile int lines[4];
enum state { IDLE, BUSY, DONE };
volatile enum state state;
int (*volatile handler)(int);

int twice(void) { if (flag == 1 && flag == 2) return 1; return 0; }
int boolean(void) { if (ready && !ready) return 1; return 0; }
int floating(void) { if (temperature > 20.5f) return 1; return 0; }
int external(void) { if (elsewhere == -5) return 1; return 0; }
int calibration(int x) { if (x > limit) { if (x <= limit) return 2; return 1; } return 0; }
int member(void) { if (box.level == -3 && box.plain == 4) return 1; return 0; }
int element(unsigned i) { if (i > 3) return -1; if (lines[i] == 17) return 1; return 0; }
int pointer(volatile uint32_t *p) { if (!p) return 0; *p = 1; if (*p == 6) return 1; return 2; }
int record(struct box *b) { if (b && b->level == 12 && b->level == 13) return 1; return 0; }
int choice(void) { switch (state) { case IDLE: return 0; case BUSY: return 1; default: return 2; } }
int local(int x) { volatile int kept = x; volatile int *p = &kept; if (*p != x) return 1; return kept == 3; }
int call(int x) { return handler ? handler(x) : 0; }
int counter(void) { static volatile int n; n++; if (n == 9) return 1; return 0; }
C
complete volatile volatile.c
has_input volatile 'flag#2 \| uint8_t'
has_input volatile 'ready#1 \| _Bool'
has_input volatile 'temperature#1 \| float'
has_input volatile 'limit \| uint16_t'
has_no_input volatile 'limit#1'
has_input volatile 'box.level#1 \| int16_t'
has_input volatile 'box->level#2'
has_no_input volatile 'flag'
equals "volatile: a local is memory, and proven so" 1 \
    "$(sqlite3 volatile/cadenza.db "select branches_infeasible from tasks where function = 'local'")"
equals "volatile: a calibration does not change" 1 \
    "$(sqlite3 volatile/cadenza.db "select branches_infeasible_assuming from tasks where function = 'calibration'")"

# ---- assembly ----
cat >assembly.c <<'C'
#include <stdint.h>
asm(".global something");
register uint32_t stack_pointer asm("sp");
static inline uint32_t get_mask(void)
{
    uint32_t result;
    __asm volatile("MRS %0, primask" : "=r"(result) :: "memory");
    return result;
}
int output(void) { if (get_mask() == 1) return 1; return 0; }
int arm_only(uint32_t x)
{
    register uint32_t r0 asm("r0") = x;
    uint64_t wide;
    asm volatile("umull %Q0, %R0, %1, %2" : "=&l"(wide) : "l"(r0), "I"(255) : "r1", "r2", "cc");
    if (wide == 0x123456789ull) return 1;
    return 0;
}
int memory(void) { uint32_t v = 5; asm("str r0, %0" : "=m"(v)); if (v == 8) return 1; return 0; }
int updated(int x) { asm("add %0, %0, #1" : "+r"(x)); if (x == 4) return 1; return 0; }
int two(void) { int a, b; asm("ldrd %0, %1, [r0]" : "=r"(a), "=r"(b)); if (a == 1 && b == 2) return 1; return 0; }
int barrier(int x) { int y = x; asm volatile("" : "+r"(y) : : "memory"); if (y != x) return 1; return 0; }
int jumps(int x)
{
    asm goto("cbz %0, %l[zero]" : : "r"(x) : "cc" : zero);
    if (x == 1) return 1;
    return 2;
zero:
    if (x == 2) return 3;
    return 4;
}
void __attribute__((naked)) entry(void) { asm("b reset"); }
int block(int x) { __asm { cpsid i
    nop } if (x == 3) return 1; return 0; }
__asm int rotate(int x) { ror r0, r0, #1
    bx lr }
int uses_rotate(int x) { if (rotate(x) == 6) return 1; return 0; }
int pointer_register(void) { if (stack_pointer == 0x20000400u) return 1; return 0; }
C
complete assembly assembly.c
has_input assembly 'asm:MRS#1'
has_input assembly 'asm:umull#1'
has_input assembly 'asm:ldrd#2'
assumes assembly 'assumption of memory: assembly "str r0, %0" is left out (assembly.c:'
assumes assembly 'assumption of output: assembly outside of functions is left out'
assumes assembly 'assumption of uses_rotate: rotate() is a stub'
equals "assembly: a barrier changes nothing" 1 \
    "$(sqlite3 assembly/cadenza.db "select branches_infeasible from tasks where function = 'barrier'")"
if grep -q 'assumption of barrier: assembly "' assembly/goals.txt; then
    not_ok "assembly: a barrier is no assumption"
else
    ok "assembly: a barrier is no assumption"
fi

# ---- keywords of other compilers ----
cat >keywords.c <<'C'
#include <stdint.h>
typedef __packed struct { uint8_t kind; uint32_t value; } frame_t;
struct __packed tail { uint8_t a; uint16_t b; };
__no_init static uint8_t __far buffer[4];
uint8_t __xdata mode;
__flash const uint8_t table[3] = {1, 2, 3};
volatile uint8_t PORT @ 0x1F;
uint16_t placed @ "RAM2" = 3;
__align(8) uint8_t aligned_bytes[8];
int __data_count;                     /* a name like any other */
#pragma vector = 0x10
__interrupt void timer(void) { mode++; if (mode > 3) mode = 0; }
void serial(void) __irq { if (PORT & 4) mode = 7; }
void legacy(void) interrupt 4 using 1 { if (mode == 2) mode = 1; }
__weak void hook(void) { }
__ramfunc int check(const frame_t *f, uint8_t __near *p)
{
    if (sizeof(frame_t) != 5 || sizeof(struct tail) != 3) return -1;
    if (f && f->value == 77) return 1;
    if (p && *p == table[1] && buffer[2] == 3) return 2;
    __no_operation();
    return __data_count == 4;
}
void __attribute__((interrupt("IRQ"), section(".fast"))) DMA_IRQHandler(void) { if (placed > 9) placed = 0; }
C
complete keywords keywords.c
has_input keywords 'PORT#1'
cat >names.c <<'C'
struct far { int __data, __weak; };
int __interrupt(int __far) { return __far + 1; }
int use(struct far *p) { int __near = 3; if (p && p->__data == __near && __interrupt(p->__weak) == 5) return 1; return 0; }
C
complete names names.c

# ---- headers of other compilers ----
cat >avr.c <<'C'
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/eeprom.h>
#include <util/delay.h>
#include <util/atomic.h>
static volatile uint8_t ticks;
static uint8_t late;
ISR(TIMER0_OVF_vect) { ticks++; if (bit_is_set(PINB, PB3)) late = 1; }
uint8_t receive(void)
{
    loop_until_bit_is_set(UCSR0A, RXC0);
    if (UCSR0A & _BV(FE0)) return 0xff;
    return UDR0;
}
int check(void)
{
    uint8_t t = 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { t = ticks; }
    if (t > 100 && eeprom_read_byte((uint8_t *)5) == 0x42) return 1;
    _delay_ms(5);
    return late;
}
C
complete avr avr.c
has_input avr 'UCSR0A#1 \| uint8_t'
cat >cortex.c <<'C'
#include <stdint.h>
typedef enum { USART1_IRQn = 37 } IRQn_Type;
#include "core_cm4.h"
#include <arm_acle.h>
#include <intrinsics.h>
typedef struct { __IO uint32_t SR, DR; } USART_TypeDef;
#define USART1 ((USART_TypeDef *)0x40011000UL)
static uint32_t count;
volatile uint32_t tick;
void USART1_IRQHandler(void) { if (USART1->SR & 0x20) { count += USART1->DR; if (count > 100) count = 0; } }
int wait(uint32_t ms) { uint32_t start = tick; while (tick - start < ms) { __WFI(); } return 1; }
int critical(uint32_t x)
{
    uint32_t masked = __get_PRIMASK();
    __disable_irq();
    int r = __CLZ(x) == 5 ? 1 : 2;
    if (!masked) __enable_irq();
    return r;
}
int start(uint32_t ticks) { NVIC_EnableIRQ(USART1_IRQn); return SysTick_Config(ticks) ? -1 : (int)__rbit(1); }
C
complete cortex cortex.c
has_input cortex 'USART1->SR#1'
has_input cortex 'tick#2'
echo '#include "stm32f9xx.h"' >missing.c
exits "a device's header is asked for" 3 "stm32f9xx.h.*file not found" "$cadenza" run missing.c -o missing
exits "and where to give it" 3 "Give the directory that has this header" "$cadenza" run missing.c -o missing

# ---- endless loops ----
cat >endless.c <<'C'
#include <stdint.h>
#define PIN (*(volatile uint32_t *)0x40020010)
static int mode;
void main_loop(void)
{
    unsigned turn = 0;
    while (!(PIN & 0x8000)) { }        /* waits, and is not the endless loop */
    for (;;) {
        turn++;
        if (turn == 3 && (PIN & 1))
            mode = 1;
        for (int i = 0; i < 50; i++)   /* turns of its own do not count */
            if (turn == 12 && i == 40)
                mode = 2;
        if (turn > 1000)
            mode = 3;
    }
}
int forever(int x) { while (1) { if (x == 5) return 1; x++; } }
int polls(void) { while (!(PIN & 1)) { } return 1; }
C
complete endless endless.c >endless.log
grep -v 'nothing open\|^    ' endless.log
equals "endless: only what needs 1000 turns is open" 1 "$(json endless/summary.json '$.totals.branches_undetermined')"
equals "endless: no alarm" 0 "$(json endless/summary.json '$.totals.alarms')"
check "endless: the run ends well" grep -q '^outcome ok' endless/tests/main_loop/0001.test
complete short endless.c --task main_loop --task polls --turns 5 >short.log
equals "endless: with --turns 5 the 12th turn is open, too" 4 \
    "$(sqlite3 short/cadenza.db "select branches_undetermined from tasks where function = 'main_loop'")"
"$cadenza" run endless.c -o again --task main_loop --task polls --iterations 300 --seed 3 >/dev/null 2>&1
"$cadenza" run endless.c -o again2 --task main_loop --task polls --iterations 300 --seed 3 >/dev/null 2>&1
check "endless: tests are the same again" diff -r again/tests again2/tests

# ---- interrupts ----
cat >interrupt.c <<'C'
#include <stdint.h>
static uint8_t ring[8], head, tail;
static uint32_t lost;
volatile uint8_t pending;
#define RX (*(volatile uint8_t *)0x40011004)
void __attribute__((interrupt)) receive(void)
{
    uint8_t next = (uint8_t)((head + 1) & 7);
    if (next == (tail & 7)) { lost++; return; }
    ring[head & 7] = RX;
    head = next;
}
void EXTI0_IRQHandler(void) { lost = 0; }
int get(void)
{
    uint8_t before = head;
    if (tail == head) return 0;
    uint8_t p = pending;
    if (head != before) return p ? 3 : 2; /* only if an interrupt came in between */
    tail = (uint8_t)((tail + 1) & 7);
    return 1;
}
C
"$cadenza" run interrupt.c -o quiet --time 5 >/dev/null 2>&1
equals "quiet: without interrupts two sides stay open" 3 \
    "$(sqlite3 quiet/cadenza.db "select branches - branches_covered from tasks where function = 'get'")"
complete interrupt interrupt.c --interleave
equals "interrupt: handlers are tasks, too" 3 "$(json interrupt/summary.json '$.tasks' | grep -o '"function"' | wc -l)"
has_input interrupt 'choice:interrupt#1 \| choice'
assumes interrupt 'interrupts come between calls and before volatile reads only: receive(), EXTI0_IRQHandler()'

# ---- several files: names are the same in the linked unit and in each clean build ----
mkdir two
cat >two/hw.h <<'C'
#include <stdint.h>
struct adc { volatile uint32_t control, result[4]; };
#define ADC ((struct adc *)0x40012000)
extern const volatile uint16_t cal_limit;
extern volatile uint8_t mode;
int sample(unsigned channel);
C
cat >two/a.c <<'C'
#include "hw.h"
static volatile int hits;
int over(unsigned channel)
{
    int v = sample(channel & 3);
    if (hits == 5 && v < 0) return -1;
    if (v > cal_limit) return 2;
    if (mode == 3) return 1;
    return 0;
}
C
cat >two/b.c <<'C'
#include "hw.h"
const volatile uint16_t cal_limit = 500;
volatile uint8_t mode;
static volatile int hits;
int sample(unsigned channel)
{
    uint32_t waited;
    __asm volatile("cpsid i" : : : "r4");
    while (!(ADC->control & 1)) { }
    if (hits > 7) return -1;
    __asm volatile("mrs %0, psp" : "=h"(waited));
    return waited == 9 ? 0 : (int)(ADC->result[channel] & 0xfff);
}
C
"$cadenza" run two/a.c two/b.c --unit extended -o two/out -q --iterations 400 >two/log 2>&1 || not_ok "two files run" "$(cat two/log)"
equals "two: nothing open" 0 "$(json two/out/summary.json '$.totals.branches_undetermined')"
equals "two: no disagreement" 0 "$(sqlite3 two/out/cadenza.db "select count(*) from messages where kind = 'disagreement'")"
check "two: tests replay identically" "$cadenza" replay two/out
check "two: a calibration of the other file is one input" grep -rqE '^input cal_limit \| ' two/out/files
check "two: registers are named in both" grep -rqE '^input ADC->result\[[0-3]\]#1 ' two/out/files
"$cadenza" run two/a.c two/b.c -o two/apart -q --iterations 400 >two/log 2>&1 || not_ok "files apart run" "$(cat two/log)"
equals "apart: nothing open" 0 "$(json two/apart/summary.json '$.totals.branches_undetermined')"
equals "apart: no disagreement" 0 "$(sqlite3 two/apart/cadenza.db "select count(*) from messages where kind = 'disagreement'")"

# ---- flags of other machines ----
exits "flags of another machine are dropped" 0 'dropped flags: -mcpu=cortex-m4 -mthumb; built for this machine' \
    "$cadenza" run "$root/examples/uart.c" -o flags --time 5 --data-model lp64 -- -mcpu=cortex-m4 -mthumb
finish
