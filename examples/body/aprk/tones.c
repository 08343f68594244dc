// SPDX-License-Identifier: Apache-2.0
// Warning tones: a table of tones per zone, each with a function that shapes its volume,
// and a player that sounds through a callback of its owner.
#include "aprk.h"

static uint8_t shape_steady(uint8_t position, uint8_t period)
{
    (void)position;
    (void)period;
    return 100U;
}

static uint8_t shape_pulse(uint8_t position, uint8_t period)
{
    return (position < (period / 2U)) ? 100U : 0U;
}

static uint8_t shape_ramp(uint8_t position, uint8_t period)
{
    uint16_t level;

    if (period == 0U) {
        return 0U;
    }
    level = (uint16_t)(((uint16_t)position * 100U) / period);
    return (level > 100U) ? 100U : (uint8_t)level;
}

static const tone_t tones[] = {
    [ZONE_NONE] = {0U, 0U, NULL},
    [ZONE_FAR] = {20U, 40U, shape_ramp},
    [ZONE_MIDDLE] = {12U, 60U, shape_pulse},
    [ZONE_NEAR] = {6U, 80U, shape_pulse},
    [ZONE_STOP] = {1U, 100U, shape_steady},
};

const tone_t *park_tone(park_zone_t zone)
{
    if ((uint32_t)zone >= ARRAY_LEN(tones)) {
        return NULL;
    }
    return &tones[zone];
}

uint8_t park_player_step(tone_player_t *player)
{
    const tone_t *tone;
    uint8_t level = 0U;

    if ((player == NULL) || (player->tone == NULL)) {
        return 0U;
    }
    tone = player->tone;
    if (tone->shape != NULL) {
        level = tone->shape(player->position, tone->period);
        // Below a tenth the buzzer only hums.
        if (level < 10U) {
            level = 0U;
        }
        level = (uint8_t)(((uint16_t)level * tone->volume) / 100U);
    }
    if ((player->mute != NULL) && player->mute()) {
        level = level / 4U;
    }
    player->position++;
    if (player->position >= tone->period) {
        player->position = 0U;
    }
    if (player->sound != NULL) {
        player->sound(level);
    }
    return level;
}

status_t park_player_switch(tone_player_t *player, park_zone_t zone)
{
    const tone_t *tone = park_tone(zone);

    if ((player == NULL) || (tone == NULL)) {
        return ST_NULL;
    }
    if (player->tone == tone) {
        return ST_PENDING;
    }
    // Entering the stop zone cuts in at once; otherwise the current beep ends first.
    if ((zone != ZONE_STOP) && (player->tone != NULL) && (player->tone->shape == shape_pulse) &&
        (player->position != 0U)) {
        return ST_PENDING;
    }
    player->tone = tone;
    player->position = 0U;
    return ST_OK;
}
