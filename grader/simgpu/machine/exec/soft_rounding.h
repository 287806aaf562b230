/* soft_rounding.h - the functions of rounding.h in integers, for a processor without modes.
 *
 * A result is computed exactly, or so far that what is missing can only be a last bit that says
 * "not all of it" (a sticky bit), and is then rounded once, in any direction. To nearest, and
 * wherever an operand or a result is no number, the processor's own instructions do.
 */
#ifndef SIM_SOFT_ROUNDING_H
#define SIM_SOFT_ROUNDING_H

#include "program.h"

#include <stdbool.h>
#include <stdint.h>

float f32_sum(float a, float b, enum rounding rounding);
float f32_difference(float a, float b, enum rounding rounding);
float f32_product(float a, float b, enum rounding rounding);
float f32_quotient(float a, float b, enum rounding rounding);
float f32_root(float a, enum rounding rounding);
float f32_fma(float a, float b, float c, enum rounding rounding);
float f32_of_integer(__int128 value, enum rounding rounding);
float f32_of_f64(double value, enum rounding rounding);
uint16_t f16_of_f64(double value, enum rounding rounding);

double f64_sum(double a, double b, enum rounding rounding);
double f64_difference(double a, double b, enum rounding rounding);
double f64_product(double a, double b, enum rounding rounding);
double f64_quotient(double a, double b, enum rounding rounding);
double f64_root(double a, enum rounding rounding);
double f64_fma(double a, double b, double c, enum rounding rounding);
double f64_of_integer(__int128 value, enum rounding rounding);

#endif
