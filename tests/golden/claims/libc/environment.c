// SPDX-License-Identifier: Apache-2.0
// A whole program that looks at its environment itself: there may be none (env -i).
extern char **environ;

int main(void)
{
    if (!environ[0])
        return 1;
    return 0;
}
