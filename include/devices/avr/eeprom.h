/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/eeprom.h>: what is read are inputs (stubs return them). */
#ifndef CZ_AVR_EEPROM_H
#define CZ_AVR_EEPROM_H
#include <stddef.h>
#include <stdint.h>
#define EEMEM
uint8_t eeprom_read_byte(const uint8_t *address);
uint16_t eeprom_read_word(const uint16_t *address);
uint32_t eeprom_read_dword(const uint32_t *address);
void eeprom_read_block(void *to, const void *from, size_t size);
void eeprom_write_byte(uint8_t *address, uint8_t value);
void eeprom_write_word(uint16_t *address, uint16_t value);
void eeprom_update_byte(uint8_t *address, uint8_t value);
void eeprom_update_word(uint16_t *address, uint16_t value);
void eeprom_write_block(const void *from, void *to, size_t size);
void eeprom_update_block(const void *from, void *to, size_t size);
#define eeprom_is_ready() 1
#define eeprom_busy_wait() ((void)0)
#endif
