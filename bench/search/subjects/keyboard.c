// SPDX-License-Identifier: Apache-2.0
// A driver-like subject: a keyboard filter between a port and a class driver. Requests
// come as packets; the state of the device decides what may happen.
enum { STATUS_OK = 0, STATUS_PENDING = 0x103, STATUS_BUSY = -1, STATUS_INVALID = -2,
       STATUS_SMALL = -3, STATUS_REMOVED = -4, STATUS_UNSUPPORTED = -5, STATUS_MORE = -6 };
enum { CREATE, CLOSE, READ, DEVICE_CONTROL, INTERNAL_CONTROL, POWER, PNP, CLEANUP };
enum { PNP_START = 0, PNP_QUERY_REMOVE, PNP_REMOVE, PNP_CANCEL_REMOVE, PNP_STOP, PNP_QUERY_STOP,
       PNP_CANCEL_STOP, PNP_SURPRISE, PNP_CAPABILITIES, PNP_STATE };
enum { IO_CONNECT = 0xB0203, IO_DISCONNECT = 0xB0403, IO_ENABLE = 0xB0800, IO_DISABLE = 0xB1000,
       IO_ATTRIBUTES = 0xB0000, IO_TYPEMATIC = 0xB0020, IO_SET_TYPEMATIC = 0xB0004,
       IO_INDICATORS = 0xB0040, IO_SET_INDICATORS = 0xB0008, IO_TRANSLATION = 0xB0080 };
enum { STOPPED, STARTED, STOP_PENDING, REMOVE_PENDING, SURPRISE, REMOVED };

struct packet {
    int major, minor;
    unsigned code, in_length, out_length;
    unsigned short units, flags, rate, delay;
    int power_state, power_type;
};

struct device {
    int state, opened, connected, enabled, power;
    unsigned short rate, delay, leds;
    int pending;
};

int lower_driver(int major, unsigned code);

static int forward(struct device *d, struct packet *p)
{
    int status = lower_driver(p->major, p->code);
    if (status == STATUS_PENDING) {
        d->pending++;
        if (d->pending > 3)
            return STATUS_BUSY;
    } else if (status < 0 && d->pending > 0) {
        d->pending--;
    }
    return status;
}

static int control(struct device *d, struct packet *p)
{
    switch (p->code) {
    case IO_ATTRIBUTES:
        if (p->out_length < 12)
            return STATUS_SMALL;
        return forward(d, p);
    case IO_TYPEMATIC:
        return p->out_length < 6 ? STATUS_SMALL : STATUS_OK;
    case IO_SET_TYPEMATIC:
        if (p->in_length < 6)
            return STATUS_SMALL;
        if (p->rate < 2 || p->rate > 30 || p->delay < 250 || p->delay > 1000)
            return STATUS_INVALID;
        if (p->rate == d->rate && p->delay == d->delay)
            return STATUS_OK;
        d->rate = p->rate;
        d->delay = p->delay;
        return forward(d, p);
    case IO_INDICATORS:
        return p->out_length < 4 ? STATUS_SMALL : STATUS_OK;
    case IO_SET_INDICATORS:
        if (p->in_length < 4)
            return STATUS_SMALL;
        if (p->flags & ~7u)
            return STATUS_INVALID;
        if ((p->flags & 4) && !(d->leds & 4) && p->units != 0)
            d->leds = 7;
        else
            d->leds = p->flags;
        return forward(d, p);
    case IO_TRANSLATION:
        return p->out_length < 16 ? STATUS_SMALL : STATUS_UNSUPPORTED;
    default:
        return forward(d, p);
    }
}

static int internal_control(struct device *d, struct packet *p)
{
    switch (p->code) {
    case IO_CONNECT:
        if (d->connected)
            return STATUS_INVALID;
        if (p->in_length < 16)
            return STATUS_SMALL;
        d->connected = 1;
        return forward(d, p);
    case IO_DISCONNECT:
        if (!d->connected)
            return STATUS_INVALID;
        d->connected = 0;
        d->enabled = 0;
        return STATUS_UNSUPPORTED;
    case IO_ENABLE:
        if (!d->connected || d->enabled)
            return STATUS_INVALID;
        d->enabled = 1;
        return STATUS_OK;
    case IO_DISABLE:
        if (!d->enabled)
            return STATUS_INVALID;
        d->enabled = 0;
        return STATUS_OK;
    default:
        return control(d, p);
    }
}

static int plug(struct device *d, struct packet *p)
{
    int status;
    switch (p->minor) {
    case PNP_START:
        status = forward(d, p);
        if (status < 0)
            return status;
        if (d->state == STOPPED || d->state == STOP_PENDING)
            d->state = STARTED;
        else if (d->state == REMOVED)
            return STATUS_REMOVED;
        return STATUS_OK;
    case PNP_QUERY_REMOVE:
        if (d->opened > 0 && d->enabled)
            return STATUS_BUSY;
        d->state = REMOVE_PENDING;
        return forward(d, p);
    case PNP_CANCEL_REMOVE:
        if (d->state == REMOVE_PENDING)
            d->state = STARTED;
        return forward(d, p);
    case PNP_SURPRISE:
        d->state = SURPRISE;
        d->enabled = 0;
        return forward(d, p);
    case PNP_REMOVE:
        if (d->state != SURPRISE && d->state != REMOVE_PENDING && d->state != STOPPED)
            return STATUS_INVALID;
        d->state = REMOVED;
        d->connected = 0;
        return forward(d, p);
    case PNP_QUERY_STOP:
        if (d->pending)
            return STATUS_BUSY;
        d->state = STOP_PENDING;
        return STATUS_OK;
    case PNP_CANCEL_STOP:
        if (d->state == STOP_PENDING)
            d->state = STARTED;
        return STATUS_OK;
    case PNP_STOP:
        if (d->state != STOP_PENDING)
            return STATUS_INVALID;
        d->state = STOPPED;
        return forward(d, p);
    case PNP_CAPABILITIES:
    case PNP_STATE:
        return forward(d, p);
    default:
        return STATUS_UNSUPPORTED;
    }
}

static int power(struct device *d, struct packet *p)
{
    if (p->power_type != 0 && p->power_type != 1)
        return STATUS_INVALID;
    if (p->minor == 2) {
        if (p->power_type == 1) {
            if (p->power_state < 1 || p->power_state > 4)
                return STATUS_INVALID;
            if (d->power == 1 && p->power_state > 1 && d->enabled)
                d->enabled = 0;
            d->power = p->power_state;
        }
    } else if (p->minor == 3) {
        if (p->power_state == 4 && d->leds)
            return STATUS_BUSY;
    } else if (p->minor != 0 && p->minor != 1) {
        return STATUS_UNSUPPORTED;
    }
    return forward(d, p);
}

static int dispatch(struct device *d, struct packet *p)
{
    if (d->state == REMOVED && p->major != CLOSE && p->major != PNP)
        return STATUS_REMOVED;
    switch (p->major) {
    case CREATE:
        if (!d->connected && d->opened > 0)
            return STATUS_INVALID;
        d->opened++;
        return forward(d, p);
    case CLOSE:
        if (d->opened == 0)
            return STATUS_INVALID;
        d->opened--;
        return forward(d, p);
    case CLEANUP:
        return STATUS_OK;
    case READ:
        if (d->state != STARTED || !d->enabled)
            return STATUS_REMOVED;
        if (p->out_length == 0)
            return STATUS_OK;
        if (p->out_length % 12 != 0)
            return STATUS_SMALL;
        return forward(d, p);
    case DEVICE_CONTROL:
        return control(d, p);
    case INTERNAL_CONTROL:
        return internal_control(d, p);
    case POWER:
        return power(d, p);
    case PNP:
        return plug(d, p);
    default:
        return STATUS_UNSUPPORTED;
    }
}

int keyboard(struct packet packets[6], int count)
{
    struct device d = {0};
    int failures = 0;
    if (!packets || count < 0 || count > 6)
        return -1;
    for (int i = 0; i < count; i++) {
        int status = dispatch(&d, &packets[i]);
        if (status < 0)
            failures++;
        if (failures > 3)
            return -2;
    }
    if (d.state == STARTED && d.enabled && d.leds == 7)
        return 2;
    if (d.state == REMOVED && d.opened)
        return 1;
    return 0;
}
