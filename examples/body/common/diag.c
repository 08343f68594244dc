// SPDX-License-Identifier: Apache-2.0
// Dispatcher of the diagnostic services: finds the handler in a table, checks length,
// session and security, builds the response. Sessions, security access and the routines
// live here because they change what the dispatcher allows.
#include "diag.h"
#include "smk.h"

#define POSITIVE  0x40U
#define NEGATIVE  0x7FU
#define MAX_TRIES 3U

static diag_session_t session = DIAG_DEFAULT;
static bool unlocked;
static bool seed_sent;
static uint32_t seed;
static uint8_t tries;

typedef struct {
    uint16_t id;
    diag_routine_t run;
} routine_entry_t;

static routine_entry_t routines[DIAG_ROUTINES];
static uint8_t routine_count;

void diag_init(void)
{
    session = DIAG_DEFAULT;
    unlocked = false;
    seed_sent = false;
    tries = 0U;
    routine_count = 0U;
}

bool diag_unlocked(void)
{
    return unlocked;
}

bool diag_put(diag_call_t *call, uint8_t byte)
{
    if (call->length >= call->capacity) {
        return false;
    }
    call->response[call->length] = byte;
    call->length++;
    return true;
}

bool diag_put_u32(diag_call_t *call, uint32_t value)
{
    return diag_put(call, (uint8_t)(value >> 24U)) && diag_put(call, (uint8_t)(value >> 16U)) &&
           diag_put(call, (uint8_t)(value >> 8U)) && diag_put(call, (uint8_t)value);
}

static uint8_t change_session(diag_call_t *call)
{
    uint8_t wanted = call->request[1];

    switch (wanted) {
    case DIAG_DEFAULT:
        unlocked = false;
        session = DIAG_DEFAULT;
        break;
    case DIAG_EXTENDED:
        session = DIAG_EXTENDED;
        break;
    case DIAG_PROGRAMMING:
        // Only through the extended session, and never while somebody could drive off.
        if ((session != DIAG_EXTENDED) || !unlocked || smk_start_allowed()) {
            return NRC_SEQUENCE;
        }
        session = DIAG_PROGRAMMING;
        break;
    default:
        return NRC_SUBFUNCTION;
    }
    (void)diag_put(call, wanted);
    return 0U;
}

static uint32_t read_u32(const uint8_t *bytes)
{
    return ((uint32_t)bytes[0] << 24U) | ((uint32_t)bytes[1] << 16U) | ((uint32_t)bytes[2] << 8U) |
           (uint32_t)bytes[3];
}

static uint8_t send_key(const diag_call_t *call)
{
    if (!seed_sent) {
        return NRC_SEQUENCE;
    }
    if (call->request_len != 6U) {
        return NRC_LENGTH;
    }
    seed_sent = false;
    if (read_u32(&call->request[2]) != ((seed ^ 0x5A5AC3C3U) + 0x1F2E3D4CU)) {
        tries++;
        return (tries >= MAX_TRIES) ? NRC_TOO_MANY : NRC_BAD_KEY;
    }
    tries = 0U;
    unlocked = true;
    return 0U;
}

static uint8_t security_access(diag_call_t *call)
{
    uint8_t result;

    if (tries >= MAX_TRIES) {
        return NRC_TOO_MANY;
    }
    if (call->request[1] == 1U) {
        seed = smk_random();
        seed_sent = true;
        (void)diag_put(call, 1U);
        result = diag_put_u32(call, seed) ? 0U : NRC_LENGTH;
    } else if (call->request[1] == 2U) {
        result = send_key(call);
    } else {
        result = NRC_SUBFUNCTION;
    }
    return result;
}

status_t diag_add_routine(uint16_t id, diag_routine_t run)
{
    if (run == NULL) {
        return ST_NULL;
    }
    if (routine_count >= DIAG_ROUTINES) {
        return ST_FULL;
    }
    routines[routine_count].id = id;
    routines[routine_count].run = run;
    routine_count++;
    return ST_OK;
}

static uint8_t run_routine(diag_call_t *call)
{
    uint16_t id = (uint16_t)(((uint16_t)call->request[1] << 8U) | call->request[2]);
    uint8_t i;
    uint8_t result;

    for (i = 0U; (i < routine_count) && (i < DIAG_ROUTINES); i++) {
        if (routines[i].id == id) {
            result = routines[i].run(&call->request[3], (uint16_t)(call->request_len - 3U));
            if (result > 0x7FU) {
                return NRC_RANGE;
            }
            (void)diag_put(call, result);
            return 0U;
        }
    }
    return NRC_RANGE;
}

static uint8_t tester_present(diag_call_t *call)
{
    if ((call->request[1] & 0x7FU) != 0U) {
        return NRC_SUBFUNCTION;
    }
    if ((call->request[1] & 0x80U) != 0U) {
        call->length = 0U; // the tester asked for silence
    }
    return 0U;
}

static const diag_service_t services[] = {
    {0x10U, 2U, 2U, false, false, change_session},
    {0x14U, 4U, 4U, false, false, diag_clear_faults},
    {0x19U, 2U, 3U, false, false, diag_read_faults},
    {0x22U, 3U, 3U, false, false, diag_read_data},
    {0x27U, 2U, 6U, true, false, security_access},
    {0x2EU, 4U, 7U, true, true, diag_write_data},
    {0x31U, 3U, 8U, true, true, run_routine},
    {0x3EU, 2U, 2U, false, false, tester_present},
};

static uint8_t permitted(const diag_service_t *service, uint16_t len)
{
    if ((len < service->min_len) || (len > service->max_len)) {
        return NRC_LENGTH;
    }
    if (service->extended_only && (session == DIAG_DEFAULT)) {
        return NRC_SESSION;
    }
    if (service->unlocked_only && !unlocked) {
        return NRC_LOCKED;
    }
    return 0U;
}

static uint8_t dispatch(diag_call_t *call)
{
    size_t i;
    uint8_t nrc = NRC_NOT_SUPPORTED;

    for (i = 0U; i < ARRAY_LEN(services); i++) {
        if (services[i].service == call->request[0]) {
            nrc = permitted(&services[i], call->request_len);
            if (nrc == 0U) {
                nrc = services[i].handler(call);
            }
            break;
        }
    }
    return nrc;
}

uint16_t diag_request(const uint8_t *request, uint16_t len, uint8_t *response, uint16_t capacity)
{
    diag_call_t call;
    uint8_t nrc;

    // A negative response takes three bytes; with less room there is no way to answer. The
    // handlers rely on it for the first two bytes they put.
    if ((request == NULL) || (response == NULL) || (len == 0U) || (capacity < 3U)) {
        return 0U;
    }
    call.request = request;
    call.request_len = len;
    call.response = response;
    call.capacity = capacity;
    call.length = 1U;
    response[0] = (uint8_t)(request[0] + POSITIVE);
    nrc = dispatch(&call);
    if (nrc != 0U) {
        response[0] = NEGATIVE;
        response[1] = request[0];
        response[2] = nrc;
        call.length = 3U;
    }
    return call.length;
}
