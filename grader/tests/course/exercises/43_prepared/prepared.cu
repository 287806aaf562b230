#include "tiny_solution.h"
