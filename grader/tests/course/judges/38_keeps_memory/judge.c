/* Memory of the device that a submission keeps is not the machine's fault. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("38_keeps_memory", "DISTURBS");
