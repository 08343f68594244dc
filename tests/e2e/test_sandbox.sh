# SPDX-License-Identifier: Apache-2.0
# Code under test is hostile by accident: it cannot write elsewhere, run programs or
# kill others.
. "$(dirname "$0")/lib.sh"

echo precious >victim
cat >hostile.c <<C
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int wreck(int how, int pid)
{
    if (how == 1) return remove("$work/victim");
    if (how == 2) return system("rm -f $work/victim");
    if (how == 3) return kill(getppid(), SIGKILL);
    if (how == 4) return truncate("$work/victim", 0);
    if (how == 5) return fopen("$work/victim", "w") != 0;
    if (how == 6) return execl("/bin/rm", "rm", "$work/victim", (char *)0);
    if (how == 7) return kill(-1, SIGKILL);
    return pid;
}
C
"$cadenza" run hostile.c -o out -q; code=$?
equals "the run survives" 0 $code
equals "the file is as it was" precious "$(cat victim)"
equals "all branches are covered" 0 "$(json out/summary.json '$.totals.branches_undetermined')"
finish
