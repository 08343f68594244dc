/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-in for avr-libc's <avr/io.h>: the registers of an ATmega328P, which most small
   AVRs have at the same addresses. */
#ifndef CZ_AVR_IO_H
#define CZ_AVR_IO_H
#include <stdint.h>

#define _SFR_MEM8(address) (*(volatile uint8_t *)(address))
#define _SFR_MEM16(address) (*(volatile uint16_t *)(address))
#define _SFR_IO8(address) _SFR_MEM8((address) + 0x20)
#define _SFR_IO16(address) _SFR_MEM16((address) + 0x20)
#define _BV(bit) (1 << (bit))
#define bit_is_set(sfr, bit) ((sfr) & _BV(bit))
#define bit_is_clear(sfr, bit) (!((sfr) & _BV(bit)))
#define loop_until_bit_is_set(sfr, bit) do { } while (bit_is_clear(sfr, bit))
#define loop_until_bit_is_clear(sfr, bit) do { } while (bit_is_set(sfr, bit))

#define PINB (*(volatile uint8_t *)0x23)
#define DDRB (*(volatile uint8_t *)0x24)
#define PORTB (*(volatile uint8_t *)0x25)
#define PINC (*(volatile uint8_t *)0x26)
#define DDRC (*(volatile uint8_t *)0x27)
#define PORTC (*(volatile uint8_t *)0x28)
#define PIND (*(volatile uint8_t *)0x29)
#define DDRD (*(volatile uint8_t *)0x2A)
#define PORTD (*(volatile uint8_t *)0x2B)
#define TIFR0 (*(volatile uint8_t *)0x35)
#define TIFR1 (*(volatile uint8_t *)0x36)
#define TIFR2 (*(volatile uint8_t *)0x37)
#define PCIFR (*(volatile uint8_t *)0x3B)
#define EIFR (*(volatile uint8_t *)0x3C)
#define EIMSK (*(volatile uint8_t *)0x3D)
#define EECR (*(volatile uint8_t *)0x3F)
#define EEDR (*(volatile uint8_t *)0x40)
#define EEAR (*(volatile uint16_t *)0x41)
#define GTCCR (*(volatile uint8_t *)0x43)
#define TCCR0A (*(volatile uint8_t *)0x44)
#define TCCR0B (*(volatile uint8_t *)0x45)
#define TCNT0 (*(volatile uint8_t *)0x46)
#define OCR0A (*(volatile uint8_t *)0x47)
#define OCR0B (*(volatile uint8_t *)0x48)
#define SPCR (*(volatile uint8_t *)0x4C)
#define SPSR (*(volatile uint8_t *)0x4D)
#define SPDR (*(volatile uint8_t *)0x4E)
#define ACSR (*(volatile uint8_t *)0x50)
#define SMCR (*(volatile uint8_t *)0x53)
#define MCUSR (*(volatile uint8_t *)0x54)
#define MCUCR (*(volatile uint8_t *)0x55)
#define SREG (*(volatile uint8_t *)0x5F)
#define WDTCSR (*(volatile uint8_t *)0x60)
#define CLKPR (*(volatile uint8_t *)0x61)
#define PRR (*(volatile uint8_t *)0x64)
#define PCICR (*(volatile uint8_t *)0x68)
#define EICRA (*(volatile uint8_t *)0x69)
#define PCMSK0 (*(volatile uint8_t *)0x6B)
#define PCMSK1 (*(volatile uint8_t *)0x6C)
#define PCMSK2 (*(volatile uint8_t *)0x6D)
#define TIMSK0 (*(volatile uint8_t *)0x6E)
#define TIMSK1 (*(volatile uint8_t *)0x6F)
#define TIMSK2 (*(volatile uint8_t *)0x70)
#define ADC (*(volatile uint16_t *)0x78)
#define ADCW ADC
#define ADCL (*(volatile uint8_t *)0x78)
#define ADCH (*(volatile uint8_t *)0x79)
#define ADCSRA (*(volatile uint8_t *)0x7A)
#define ADCSRB (*(volatile uint8_t *)0x7B)
#define ADMUX (*(volatile uint8_t *)0x7C)
#define TCCR1A (*(volatile uint8_t *)0x80)
#define TCCR1B (*(volatile uint8_t *)0x81)
#define TCNT1 (*(volatile uint16_t *)0x84)
#define ICR1 (*(volatile uint16_t *)0x86)
#define OCR1A (*(volatile uint16_t *)0x88)
#define OCR1B (*(volatile uint16_t *)0x8A)
#define TCCR2A (*(volatile uint8_t *)0xB0)
#define TCCR2B (*(volatile uint8_t *)0xB1)
#define TCNT2 (*(volatile uint8_t *)0xB2)
#define OCR2A (*(volatile uint8_t *)0xB3)
#define TWBR (*(volatile uint8_t *)0xB8)
#define TWSR (*(volatile uint8_t *)0xB9)
#define TWDR (*(volatile uint8_t *)0xBB)
#define TWCR (*(volatile uint8_t *)0xBC)
#define UCSR0A (*(volatile uint8_t *)0xC0)
#define UCSR0B (*(volatile uint8_t *)0xC1)
#define UCSR0C (*(volatile uint8_t *)0xC2)
#define UBRR0 (*(volatile uint16_t *)0xC4)
#define UBRR0L (*(volatile uint8_t *)0xC4)
#define UBRR0H (*(volatile uint8_t *)0xC5)
#define UDR0 (*(volatile uint8_t *)0xC6)

enum {
    PB0, PB1, PB2, PB3, PB4, PB5, PB6, PB7,
    PC0 = 0, PC1, PC2, PC3, PC4, PC5, PC6,
    PD0 = 0, PD1, PD2, PD3, PD4, PD5, PD6, PD7,
    RXC0 = 7, TXC0 = 6, UDRE0 = 5, FE0 = 4, DOR0 = 3, UPE0 = 2, U2X0 = 1,
    RXCIE0 = 7, TXCIE0 = 6, UDRIE0 = 5, RXEN0 = 4, TXEN0 = 3, UCSZ02 = 2,
    UCSZ01 = 2, UCSZ00 = 1,
    ADEN = 7, ADSC = 6, ADATE = 5, ADIF = 4, ADIE = 3, ADPS2 = 2, ADPS1 = 1, ADPS0 = 0,
    REFS1 = 7, REFS0 = 6, ADLAR = 5,
    TOV0 = 0, OCF0A = 1, TOIE0 = 0, OCIE0A = 1, CS02 = 2, CS01 = 1, CS00 = 0, WGM01 = 1,
    TOV1 = 0, OCF1A = 1, TOIE1 = 0, OCIE1A = 1, CS12 = 2, CS11 = 1, CS10 = 0, WGM12 = 3,
    SPIF = 7, WCOL = 6, SPE = 6, MSTR = 4, SPR1 = 1, SPR0 = 0,
    TWINT = 7, TWEA = 6, TWSTA = 5, TWSTO = 4, TWEN = 2,
    EEMPE = 2, EEPE = 1, EERE = 0, INT0 = 0, INT1 = 1, INTF0 = 0, INTF1 = 1,
    WDIE = 6, WDCE = 4, WDE = 3, WDRF = 3, BORF = 2, EXTRF = 1, PORF = 0
};
#endif
