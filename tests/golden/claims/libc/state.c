// SPDX-License-Identifier: Apache-2.0
// State of the C library and of the process that is there before the task is called.
#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int inherited_position(int fd)
{
    if (lseek(fd, 0, SEEK_CUR) == 7)
        return 1;
    return 0;
}

int standard_input_position(void)
{
    if (lseek(0, 0, SEEK_CUR) == 7)
        return 1;
    return 0;
}

int not_a_file(void)
{
    if (lseek(0, 0, SEEK_CUR) == -1)
        return 1;
    return 0;
}

int stream_position(FILE *f)
{
    if (ftell(f) == 9)
        return 1;
    return 0;
}

int stdin_position(void)
{
    if (ftell(stdin) == 9)
        return 1;
    return 0;
}

int stdin_at_end(void)
{
    if (feof(stdin) != 0)
        return 1;
    return 0;
}

int stdin_in_error(void)
{
    if (ferror(stdin) != 0)
        return 1;
    return 0;
}

int terminal(int fd)
{
    if (isatty(fd))
        return 1;
    return 0;
}

int flags_of_descriptor(int fd)
{
    if ((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0)
        return 1;
    return 0;
}

int creation_mask(void)
{
    if (umask(0) == 077)
        return 1;
    return 0;
}

int earlier_handler(void)
{
    if (signal(SIGINT, SIG_DFL) == SIG_IGN)
        return 1;
    return 0;
}

int earlier_action(void)
{
    struct sigaction old;
    if (sigaction(SIGINT, 0, &old) == 0 && old.sa_handler == SIG_IGN)
        return 1;
    return 0;
}

int own_action(void)
{
    struct sigaction old;
    signal(SIGINT, SIG_DFL);
    sigaction(SIGINT, 0, &old);
    if (old.sa_handler == SIG_IGN) // infeasible
        return 1;
    return 0;
}

int raised(void)
{
    int after = 0;
    raise(SIGINT);
    after = 1;
    if (after == 1)
        return 1;
    return 0;
}

int own_mask(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_SETMASK, &set, 0);
    sigprocmask(SIG_BLOCK, 0, &old);
    if (sigismember(&old, SIGINT) == 1)
        return 1;
    return 0;
}

int blocked_signals(void)
{
    sigset_t old;
    sigprocmask(SIG_BLOCK, 0, &old);
    if (sigismember(&old, SIGINT) == 1)
        return 1;
    return 0;
}

int options_index(void)
{
    if (optind == 4)
        return 1;
    return 0;
}

int options_set_by_others(void)
{
    if (optopt == -733)
        return 1;
    return 0;
}

int options_silent(void)
{
    if (opterr == 0)
        return 1;
    return 0;
}

int options_argument(void)
{
    if (optarg != 0)
        return 1;
    return 0;
}

int options_parse(int argc, char **argv)
{
    if (argc != 3)
        return -1;
    argv[0] = "x";
    argv[1] = "-a";
    argv[2] = "-b";
    argv[3] = 0;
    if (getopt(argc, argv, "ab") == 'b') // when optind is 2
        return 1;
    return 0;
}

int held_mutex(pthread_mutex_t *m)
{
    if (pthread_mutex_trylock(m) != 0)
        return 1;
    pthread_mutex_unlock(m);
    return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int held_static_mutex(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return 1;
    return 0;
}

int lock_fails(pthread_mutex_t *m)
{
    if (pthread_mutex_lock(m) != 0)
        return 1;
    return 0;
}

int register_end(void (*f)(void))
{
    if (atexit(f) != 0)
        return 1;
    return 0;
}

int language(void)
{
    const char *name = setlocale(LC_ALL, NULL);
    if (name && strcmp(name, "C") != 0)
        return 1;
    return 0;
}

int decimal_point(void)
{
    if (localeconv()->decimal_point[0] == ',')
        return 1;
    return 0;
}

int letter(int c)
{
    if (c == 0xE4 && isalpha(c))
        return 1;
    return 0;
}

int digit(unsigned char c)
{
    if (isdigit(c) && c == 'a') // infeasible in every locale
        return 1;
    return 0;
}

int upper(int c)
{
    if (c == 0xE4 && toupper(c) == 0xC4)
        return 1;
    return 0;
}

int generator(void)
{
    if (rand() == 17)
        return 1;
    return 0;
}

int clock_time(void)
{
    if (time(NULL) == 12345)
        return 1;
    return 0;
}

int process(void)
{
    if (getpid() == 4711)
        return 1;
    return 0;
}

int earlier_tokens(void)
{
    if (strtok(NULL, ",") != NULL)
        return 1;
    return 0;
}

int first_variable(void)
{
    if (environ && environ[0] && environ[0][0] == 'Q')
        return 1;
    return 0;
}

int variable(void)
{
    if (getenv("QUERY") != NULL)
        return 1;
    return 0;
}

int message(int number)
{
    if (strcmp(strerror(number), "Erfolg") == 0)
        return 1;
    return 0;
}

int directory(void)
{
    char name[8];
    if (getcwd(name, sizeof name) != NULL && name[1] == 0)
        return 1;
    return 0;
}

int processors(void)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) == 3)
        return 1;
    return 0;
}

int heap_end(void)
{
    if (sbrk(0) == (void *)-1)
        return 1;
    return 0;
}

int same_thread(pthread_t t)
{
    if (pthread_equal(pthread_self(), t))
        return 1;
    return 0;
}

static _Thread_local int counter;
int thread_local_counter(void)
{
    if (counter == 3)
        return 1;
    return 0;
}

int limit_of_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 33)
        return 1;
    return 0;
}

int local_hour(long t)
{
    time_t when = t;
    if (t == 0 && localtime(&when)->tm_hour == 5)
        return 1;
    return 0;
}

int printed(void)
{
    if (printf("x") < 0)
        return 1;
    return 0;
}

int closed_output(void)
{
    if (fputs("x", stdout) == EOF)
        return 1;
    return 0;
}

int group_priority(void)
{
    if (getpriority(PRIO_PROCESS, 0) == 5)
        return 1;
    return 0;
}
