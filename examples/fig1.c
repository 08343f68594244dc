// SPDX-License-Identifier: Apache-2.0
// A decision with 25 conditions over 13 inputs, after Figure 1 of the MAESTRO paper:
// part of a body control module that checks whether wheels, steering angles and tyre
// pressures fit the way the car is driven.
enum { PARK, REVERSE, NEUTRAL, DRIVE };
enum { STRAIGHT, LEFT, RIGHT };

#define L_PRESSURE 28
#define H_PRESSURE 40

int rpm_FL, rpm_FR, rpm_RL, rpm_RR;
int angle_FL, angle_FR;
int press_FL, press_FR, press_RL, press_RR;
int mode, dir, speed;

static int warnings;

int drive_mode_check(void)
{
    if (mode == DRIVE && speed > 0 &&
        ((dir == LEFT && angle_FL < 0 && angle_FR < 0 &&
          rpm_FL <= rpm_FR && rpm_RL <= rpm_RR) ||
         (dir == RIGHT && angle_FL > 0 && angle_FR > 0 &&
          rpm_FL >= rpm_FR && rpm_RL >= rpm_RR) ||
         (dir == STRAIGHT && angle_FL == 0 && angle_FR == 0 &&
          rpm_FL == rpm_FR && rpm_RL == rpm_RR)) &&
        (L_PRESSURE < press_FL && press_FL < H_PRESSURE) &&
        (L_PRESSURE < press_FR && press_FR < H_PRESSURE) &&
        (L_PRESSURE < press_RL && press_RL < H_PRESSURE) &&
        (L_PRESSURE < press_RR && press_RR < H_PRESSURE))
        return 1;

    warnings++;
    return 0;
}
