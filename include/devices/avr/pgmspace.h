/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/pgmspace.h>: flash is memory like any other here. */
#ifndef CZ_AVR_PGMSPACE_H
#define CZ_AVR_PGMSPACE_H
#include <stdint.h>
#include <string.h>
#define PROGMEM
#define PGM_P const char *
#define PSTR(text) (text)
#define pgm_read_byte(address) (*(const uint8_t *)(address))
#define pgm_read_word(address) (*(const uint16_t *)(address))
#define pgm_read_dword(address) (*(const uint32_t *)(address))
#define pgm_read_float(address) (*(const float *)(address))
#define pgm_read_ptr(address) (*(void *const *)(address))
#define memcpy_P memcpy
#define memcmp_P memcmp
#define strcpy_P strcpy
#define strcmp_P strcmp
#define strncmp_P strncmp
#define strlen_P strlen
#endif
