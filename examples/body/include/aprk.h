// SPDX-License-Identifier: Apache-2.0
// Park assist: ultrasonic distances, zones around the car, warning tones.
#ifndef BODY_APRK_H
#define BODY_APRK_H

#include "types.h"

#define PARK_SENSORS 4U

typedef enum { ZONE_NONE = 0, ZONE_FAR, ZONE_MIDDLE, ZONE_NEAR, ZONE_STOP } park_zone_t;
typedef enum { PARK_OFF = 0, PARK_READY, PARK_ACTIVE, PARK_MUTED, PARK_FAILED } park_state_t;

typedef struct {
    float metre;   // filtered; negative: nothing in range
    uint8_t blind; // measurements in a row without an answer
    bool failed;
} park_sensor_t;

// A tone: its shape turns the position in the period into a volume.
typedef uint8_t (*tone_shape_t)(uint8_t position, uint8_t period);

typedef struct {
    uint8_t period;
    uint8_t volume;
    tone_shape_t shape;
} tone_t;

typedef struct {
    const tone_t *tone;
    uint8_t position;
    void (*sound)(uint8_t volume);
    bool (*mute)(void); // may be NULL
} tone_player_t;

extern park_sensor_t g_park[PARK_SENSORS];
extern park_state_t g_park_state;
extern park_zone_t g_park_zone;

// Distances.
float park_sound_speed(float celsius);
status_t park_measure(uint8_t sensor, float celsius);
void park_forget(void);

// Zones.
park_zone_t park_zone_of(float metre, bool corner);
park_zone_t park_worst(const park_sensor_t *sensors, size_t count, size_t *which);
park_zone_t park_smooth(park_zone_t raw);

// Tones.
const tone_t *park_tone(park_zone_t zone);
uint8_t park_player_step(tone_player_t *player);
status_t park_player_switch(tone_player_t *player, park_zone_t zone);

// The whole.
status_t park_step(void);

#endif
