// SPDX-License-Identifier: Apache-2.0
// A driver-like subject: the request loop of a floppy controller with its registers,
// motor, seek and retries; the hardware's answers are inputs.
enum { OK, ERR_NO_MEDIA, ERR_PROTECTED, ERR_CHANGED, ERR_RANGE, ERR_TIMEOUT, ERR_CRC, ERR_STATE,
       ERR_UNKNOWN };
enum { CMD_RECALIBRATE, CMD_SEEK, CMD_READ, CMD_WRITE, CMD_FORMAT, CMD_SENSE, CMD_SPECIFY,
       CMD_VERSION, CMD_EJECT };
enum { ST0_ABNORMAL = 0x40, ST0_SEEK_END = 0x20, ST0_CHECK = 0x10, ST1_NO_DATA = 0x04,
       ST1_CRC = 0x20, ST1_OVERRUN = 0x10, ST1_PROTECTED = 0x02, ST1_MISSING = 0x01,
       ST2_BAD_TRACK = 0x10, ST2_CRC = 0x20 };

struct request {
    unsigned char command, unit;
    unsigned sector, count;
    unsigned short flags;
};

struct drive {
    int present, motor, changed, write_protected;
    int track, calibrated, type, errors;
    int sectors, heads, tracks;
};

struct controller {
    struct drive drives[2];
    int version, specified, dma, interrupts;
};

int read_status(int which);
int wait_interrupt(void);

static int set_type(struct drive *d, int type)
{
    switch (type) {
    case 1:
        d->sectors = 9, d->heads = 2, d->tracks = 40;
        break;
    case 2:
        d->sectors = 15, d->heads = 2, d->tracks = 80;
        break;
    case 3:
        d->sectors = 9, d->heads = 2, d->tracks = 80;
        break;
    case 4:
        d->sectors = 18, d->heads = 2, d->tracks = 80;
        break;
    default:
        return ERR_UNKNOWN;
    }
    d->type = type;
    return OK;
}

static int start_motor(struct controller *c, struct drive *d)
{
    if (d->motor)
        return OK;
    int waited = wait_interrupt();
    if (waited < 0)
        return ERR_TIMEOUT;
    if (waited > 500 && c->version < 2)
        return ERR_TIMEOUT;
    d->motor = 1;
    return OK;
}

static int check_result(struct drive *d, int writing)
{
    int st0 = read_status(0);
    if ((st0 & 0xC0) == 0)
        return OK;
    if ((st0 & 0xC0) == 0xC0) {
        d->changed = 1;
        return ERR_CHANGED;
    }
    if (st0 & ST0_CHECK)
        return ERR_UNKNOWN;
    int st1 = read_status(1);
    if (st1 & ST1_PROTECTED) {
        if (!writing)
            return ERR_UNKNOWN;
        d->write_protected = 1;
        return ERR_PROTECTED;
    }
    if (st1 & ST1_CRC)
        return read_status(2) & ST2_CRC ? ERR_CRC : ERR_UNKNOWN;
    if (st1 & (ST1_NO_DATA | ST1_MISSING)) {
        if (read_status(2) & ST2_BAD_TRACK)
            d->calibrated = 0;
        return ERR_RANGE;
    }
    return st1 & ST1_OVERRUN ? ERR_TIMEOUT : ERR_UNKNOWN;
}

static int recalibrate(struct controller *c, struct drive *d)
{
    for (int tries = 0; tries < 2; tries++) {
        if (wait_interrupt() < 0)
            return ERR_TIMEOUT;
        c->interrupts++;
        int st0 = read_status(0);
        if ((st0 & ST0_SEEK_END) && !(st0 & ST0_CHECK)) {
            d->track = 0;
            d->calibrated = 1;
            return OK;
        }
    }
    return ERR_STATE;
}

static int seek(struct controller *c, struct drive *d, int track)
{
    if (!d->calibrated) {
        int error = recalibrate(c, d);
        if (error)
            return error;
    }
    if (track == d->track)
        return OK;
    if (track < 0 || track >= d->tracks)
        return ERR_RANGE;
    if (wait_interrupt() < 0)
        return ERR_TIMEOUT;
    c->interrupts++;
    if (!(read_status(0) & ST0_SEEK_END)) {
        d->calibrated = 0;
        return ERR_STATE;
    }
    d->track = track;
    return OK;
}

static int transfer(struct controller *c, struct drive *d, struct request *r, int writing)
{
    if (!d->present)
        return ERR_NO_MEDIA;
    if (!d->type)
        return ERR_STATE;
    if (writing && d->write_protected)
        return ERR_PROTECTED;
    if (d->changed && !(r->flags & 1))
        return ERR_CHANGED;
    unsigned size = (unsigned)(d->sectors * d->heads * d->tracks);
    if (r->count == 0 || r->count > 32 || r->sector >= size || r->sector + r->count > size)
        return ERR_RANGE;
    int error = start_motor(c, d);
    for (int tries = 0; !error; tries++) {
        int track = (int)(r->sector / (unsigned)(d->sectors * d->heads));
        error = seek(c, d, track);
        if (error)
            break;
        if (wait_interrupt() < 0)
            return ERR_TIMEOUT;
        c->interrupts++;
        error = check_result(d, writing);
        if (!error)
            return OK;
        d->errors++;
        if (error == ERR_CRC && tries < 2 && !(r->flags & 2))
            error = OK;
    }
    return error;
}

static int serve(struct controller *c, struct request *r)
{
    if (r->unit > 1)
        return ERR_UNKNOWN;
    struct drive *d = &c->drives[r->unit];
    if (!c->specified && r->command != CMD_SPECIFY && r->command != CMD_VERSION)
        return ERR_STATE;
    switch (r->command) {
    case CMD_SPECIFY:
        if ((r->flags & 15) == 0 || (r->flags >> 4 & 15) > 12)
            return ERR_RANGE;
        c->specified = 1;
        c->dma = !(r->flags & 0x100);
        return set_type(d, r->flags >> 12);
    case CMD_VERSION:
        c->version = read_status(3) == 0x90 ? 2 : 1;
        return OK;
    case CMD_RECALIBRATE:
        return recalibrate(c, d);
    case CMD_SEEK:
        return seek(c, d, (int)r->sector);
    case CMD_SENSE:
        d->present = (read_status(3) & 0x20) != 0;
        d->write_protected = (read_status(3) & 0x40) != 0;
        d->changed = 0;
        return d->present ? OK : ERR_NO_MEDIA;
    case CMD_READ:
        return transfer(c, d, r, 0);
    case CMD_WRITE:
        return transfer(c, d, r, 1);
    case CMD_FORMAT:
        if (c->version < 2 || !c->dma)
            return ERR_STATE;
        if (d->type == 4 && r->count != 18)
            return ERR_RANGE;
        return transfer(c, d, r, 1);
    case CMD_EJECT:
        if (d->motor)
            d->motor = 0;
        d->present = 0;
        return OK;
    default:
        return ERR_UNKNOWN;
    }
}

int floppy(struct request requests[5], int count)
{
    struct controller c = {0};
    int failed = 0;
    if (!requests || count < 1 || count > 5)
        return -1;
    for (int i = 0; i < count; i++) {
        int error = serve(&c, &requests[i]);
        if (error == ERR_TIMEOUT || error == ERR_STATE)
            failed++;
        if (failed == 3)
            return -2;
    }
    if (c.drives[0].errors > 1 && c.drives[0].calibrated)
        return 3;
    return c.interrupts > 3 ? 2 : failed;
}
