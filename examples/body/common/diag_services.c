// SPDX-License-Identifier: Apache-2.0
// The services that read and write data and faults: data identifiers with a reader and a
// writer each, and the fault memory as the tester sees it.
#include <string.h>

#include "calib.h"
#include "diag.h"
#include "fault.h"
#include "tpms.h"
#include "vehicle.h"

typedef bool (*data_reader_t)(diag_call_t *call);
typedef status_t (*data_writer_t)(const uint8_t *bytes, uint16_t len);

typedef struct {
    uint16_t id;
    data_reader_t read;
    data_writer_t write; // NULL: read only
} data_item_t;

static bool read_speed(diag_call_t *call)
{
    uint16_t speed = g_vehicle.speed_valid ? g_vehicle.speed : 0xFFFFU;

    return diag_put(call, (uint8_t)(speed >> 8U)) && diag_put(call, (uint8_t)speed);
}

static bool read_pressures(diag_call_t *call)
{
    uint8_t i;

    for (i = 0U; i < (uint8_t)WHEEL_COUNT; i++) {
        float kpa = g_tyre_kpa[i];
        uint8_t byte = 0xFFU;

        if ((kpa >= 0.0f) && (kpa < 510.0f)) {
            byte = (uint8_t)(kpa * 0.5f);
        }
        if (!diag_put(call, byte)) {
            return false;
        }
    }
    return true;
}

static bool read_version(diag_call_t *call)
{
    static const char version[] = "BODY-1.4";
    size_t i;

    for (i = 0U; i < (sizeof version - 1U); i++) {
        if (!diag_put(call, (uint8_t)version[i])) {
            return false;
        }
    }
    return true;
}

// One byte item number, then the float as the tester's four bytes.
static status_t write_tunable(const uint8_t *bytes, uint16_t len)
{
    float value;
    uint32_t bits;

    // The service allows up to 7 bytes of which 3 are header: there are 1 to 4 here.
    if (len != 4U) {
        return ST_RANGE;
    }
    // The item number takes the low 3 bits of the mantissa, which nobody calibrates by.
    bits = ((uint32_t)bytes[0] << 24U) | ((uint32_t)bytes[1] << 16U) | ((uint32_t)bytes[2] << 8U) |
           ((uint32_t)bytes[3] & 0xF8U);
    (void)memcpy(&value, &bits, sizeof value);
    return calib_tune(bytes[3] & 7U, value);
}

static status_t write_key_tries(const uint8_t *bytes, uint16_t len)
{
    if ((len != 1U) || (bytes[0] == 0U) || (bytes[0] > 10U)) {
        return ST_RANGE;
    }
    g_calib.key.max_tries = bytes[0];
    return ST_OK;
}

static bool read_key_tries(diag_call_t *call)
{
    return diag_put(call, g_calib.key.max_tries);
}

static const data_item_t items[] = {
    {0xF190U, read_version, NULL},   {0x0100U, read_speed, NULL},
    {0x0200U, read_pressures, NULL}, {0x0300U, read_key_tries, write_key_tries},
    {0x0301U, NULL, write_tunable},
};

static const data_item_t *find_item(const uint8_t *request)
{
    uint16_t id = (uint16_t)(((uint16_t)request[1] << 8U) | request[2]);
    size_t i;

    for (i = 0U; i < ARRAY_LEN(items); i++) {
        if (items[i].id == id) {
            return &items[i];
        }
    }
    return NULL;
}

uint8_t diag_read_data(diag_call_t *call)
{
    const data_item_t *item = find_item(call->request);

    if ((item == NULL) || (item->read == NULL)) {
        return NRC_RANGE;
    }
    if (!diag_put(call, call->request[1]) || !diag_put(call, call->request[2])) {
        return NRC_LENGTH;
    }
    return item->read(call) ? 0U : NRC_LENGTH;
}

uint8_t diag_write_data(diag_call_t *call)
{
    const data_item_t *item = find_item(call->request);
    status_t status;

    if ((item == NULL) || (item->write == NULL)) {
        return NRC_RANGE;
    }
    // Values may change only while the car stands.
    if (!g_vehicle.speed_valid || (g_vehicle.speed > 0U)) {
        return NRC_SEQUENCE;
    }
    status = item->write(&call->request[3], (uint16_t)(call->request_len - 3U));
    return (status == ST_OK) ? 0U : NRC_RANGE;
}

typedef struct {
    diag_call_t *call;
    bool truncated;
} fault_writer_t;

static void put_fault(const fault_node_t *node, void *context)
{
    fault_writer_t *writer = context;

    if (!writer->truncated &&
        (!diag_put_u32(writer->call, node->code) || !diag_put(writer->call, node->occurrences))) {
        writer->truncated = true;
    }
}

uint8_t diag_read_faults(diag_call_t *call)
{
    fault_writer_t writer = {call, false};
    uint32_t code = 0U;

    switch (call->request[1]) {
    case 1U: // how many
        return diag_put(call, fault_count()) ? 0U : NRC_LENGTH;
    case 2U: // list, from a class upwards
        if ((call->request_len < 3U) || (call->request[2] > (uint8_t)FAULT_SAFETY)) {
            return NRC_RANGE;
        }
        (void)fault_visit((fault_class_t)call->request[2], put_fault, &writer);
        return writer.truncated ? NRC_LENGTH : 0U;
    case 3U: // one entry of the history
        if ((call->request_len < 3U) || (fault_history(call->request[2], &code) != ST_OK)) {
            return NRC_RANGE;
        }
        return diag_put_u32(call, code) ? 0U : NRC_LENGTH;
    default:
        return NRC_SUBFUNCTION;
    }
}

uint8_t diag_clear_faults(diag_call_t *call)
{
    uint32_t group =
        ((uint32_t)call->request[1] << 16U) | ((uint32_t)call->request[2] << 8U) | call->request[3];

    if (group == 0xFFFFFFU) {
        fault_clear_all();
        return 0U;
    }
    return (fault_clear(group) == ST_OK) ? 0U : NRC_RANGE;
}
