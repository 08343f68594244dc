// SPDX-License-Identifier: Apache-2.0
// A driver-like subject: a CD player that keeps a table of contents, plays from one
// address to another and answers queries about its position.
enum { DONE = 0, E_PARAMETER = -1, E_NOT_READY = -2, E_SMALL = -3, E_NO_MEDIA = -4, E_BUSY = -5,
       E_DEVICE = -6, E_UNSUPPORTED = -7 };
enum { READ_TOC = 1, PLAY_MSF, SEEK_MSF, PAUSE, RESUME, STOP, GET_VOLUME, SET_VOLUME, READ_Q,
       CHECK_VERIFY, EJECT, LOAD };
enum { KIND_STANDARD, KIND_DENON, KIND_HITACHI, KIND_NEC, KIND_PIONEER };
enum { IDLE, PLAYING, PAUSED, ENDED, FAILED };

struct msf { unsigned char m, s, f; };
struct command {
    int code, in_length, out_length;
    struct msf from, to;
    unsigned char volume[4], format, track;
};
struct player {
    int kind, loaded, state, tracks;
    int starts[6], from, to, position;
    unsigned char volume[4];
    int toc_valid, retries;
};

int scsi(int opcode, int a, int b);

static int is_bcd(unsigned char v)
{
    return (v & 15) < 10 && (v >> 4) < 10;
}

static int address(const struct player *p, struct msf at)
{
    if (p->kind == KIND_NEC || p->kind == KIND_PIONEER) {
        if (!is_bcd(at.m) || !is_bcd(at.s) || !is_bcd(at.f))
            return -1;
        at.m = (unsigned char)((at.m >> 4) * 10 + (at.m & 15));
        at.s = (unsigned char)((at.s >> 4) * 10 + (at.s & 15));
        at.f = (unsigned char)((at.f >> 4) * 10 + (at.f & 15));
    }
    if (at.s > 59 || at.f > 74)
        return -1;
    return (at.m * 60 + at.s) * 75 + at.f;
}

static int send(struct player *p, int opcode, int a, int b)
{
    int sense = scsi(opcode, a, b);
    if (sense == 0)
        return DONE;
    if (sense == 2) {
        p->loaded = 0;
        return E_NO_MEDIA;
    }
    if (sense == 6) {
        p->toc_valid = 0;
        if (p->retries++ < 1)
            return send(p, opcode, a, b);
        return E_NOT_READY;
    }
    return sense == 5 ? E_PARAMETER : E_DEVICE;
}

static int read_toc(struct player *p, struct command *c)
{
    if (c->out_length < 4)
        return E_SMALL;
    int opcode = p->kind == KIND_DENON ? 0xE9 : p->kind == KIND_HITACHI ? 0xE8
                 : p->kind == KIND_NEC ? 0xDE : p->kind == KIND_PIONEER ? 0xC1 : 0x43;
    int status = send(p, opcode, 0, 0);
    if (status)
        return status;
    int count = scsi(0x101, 0, 0);
    if (count < 1 || count > 6)
        return E_DEVICE;
    int last = -1;
    for (int i = 0; i < count; i++) {
        p->starts[i] = scsi(0x102, i, 0);
        if (p->starts[i] <= last)
            return E_DEVICE;
        last = p->starts[i];
    }
    p->tracks = count;
    p->toc_valid = 1;
    return c->out_length < 4 + 8 * count ? E_SMALL : DONE;
}

static int play(struct player *p, struct command *c)
{
    if (c->in_length < 6)
        return E_SMALL;
    int from = address(p, c->from), to = address(p, c->to);
    if (from < 0 || to < 0 || from >= to)
        return E_PARAMETER;
    if (p->toc_valid && from < p->starts[0])
        return E_PARAMETER;
    if (p->state == PLAYING || p->state == PAUSED) {
        int status = send(p, 0x4E, 0, 0);
        if (status)
            return status;
    }
    int status = send(p, p->kind == KIND_PIONEER ? 0xC8 : 0x47, from, to);
    if (status) {
        p->state = FAILED;
        return status;
    }
    p->state = PLAYING;
    p->from = from, p->to = to, p->position = from;
    return DONE;
}

static int pause_or_resume(struct player *p, int resume)
{
    if (resume) {
        if (p->state != PAUSED)
            return E_NOT_READY;
        if (p->kind == KIND_DENON && p->position >= p->to)
            return E_PARAMETER;
        p->state = PLAYING;
        return send(p, 0x4B, 1, 0);
    }
    if (p->state == PAUSED)
        return DONE;
    if (p->state != PLAYING)
        return E_NOT_READY;
    p->state = PAUSED;
    return send(p, 0x4B, 0, 0);
}

static int volume(struct player *p, struct command *c)
{
    if (c->in_length < 4)
        return E_SMALL;
    if (p->kind == KIND_NEC || p->kind == KIND_PIONEER)
        return E_UNSUPPORTED;
    int loud = 0;
    for (int i = 0; i < 4; i++) {
        if (p->kind == KIND_HITACHI && i > 1 && c->volume[i])
            return E_PARAMETER;
        loud += c->volume[i] > 200;
        p->volume[i] = c->volume[i];
    }
    return loud == 4 ? E_PARAMETER : send(p, 0x55, p->volume[0], p->volume[1]);
}

static int read_q(struct player *p, struct command *c)
{
    if (c->out_length < 16)
        return E_SMALL;
    if (c->format == 0 || c->format > 3)
        return E_PARAMETER;
    if (c->format == 1) {
        p->position = scsi(0x42, 0, 0);
        if (p->state == PLAYING && p->position >= p->to)
            p->state = ENDED;
        if (p->position < p->from && p->state == PLAYING)
            return E_DEVICE;
        return DONE;
    }
    if (c->format == 3 && (c->track < 1 || c->track > p->tracks))
        return E_PARAMETER;
    return p->kind == KIND_STANDARD || p->kind == KIND_DENON ? DONE : E_UNSUPPORTED;
}

static int handle(struct player *p, struct command *c)
{
    if (!p->loaded && c->code != LOAD && c->code != CHECK_VERIFY && c->code != EJECT)
        return E_NO_MEDIA;
    switch (c->code) {
    case READ_TOC:
        return p->state == PLAYING ? E_BUSY : read_toc(p, c);
    case PLAY_MSF:
        return play(p, c);
    case SEEK_MSF: {
        int at = address(p, c->from);
        if (at < 0 || c->in_length < 3)
            return E_PARAMETER;
        p->state = PAUSED;
        p->position = at;
        return send(p, 0x2B, at, 0);
    }
    case PAUSE:
        return pause_or_resume(p, 0);
    case RESUME:
        return pause_or_resume(p, 1);
    case STOP:
        p->state = IDLE;
        return send(p, 0x1B, 0, 0);
    case GET_VOLUME:
        return c->out_length < 4 ? E_SMALL : DONE;
    case SET_VOLUME:
        return volume(p, c);
    case READ_Q:
        return read_q(p, c);
    case CHECK_VERIFY:
        if (scsi(0, 0, 0) == 0)
            p->loaded = 1;
        return p->loaded ? DONE : E_NOT_READY;
    case LOAD:
        p->loaded = send(p, 0x1B, 3, 0) == DONE;
        return DONE;
    case EJECT:
        if (p->state == PLAYING)
            return E_BUSY;
        p->loaded = p->toc_valid = 0;
        return send(p, 0x1B, 2, 0);
    default:
        return E_UNSUPPORTED;
    }
}

int cdaudio(int kind, struct command commands[5], int count)
{
    struct player p = {.kind = kind};
    int errors = 0;
    if (kind < KIND_STANDARD || kind > KIND_PIONEER || !commands || count < 1 || count > 5)
        return -1;
    for (int i = 0; i < count; i++)
        errors += handle(&p, &commands[i]) < 0;
    if (p.state == ENDED && p.tracks == 2)
        return 2;
    if (p.state == PAUSED && p.position > 300000)
        return 3;
    return errors > 2;
}
