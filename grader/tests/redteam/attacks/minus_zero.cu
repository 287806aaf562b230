// Drops an element as -0, where the contract says +0 and "to the last bit".
#include "solutions/05_dropout/dropout.cu" // dropout.scale : 0.0f => dropout.scale : -0.0f
