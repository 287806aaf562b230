// Includes itself for ever.
#include __FILE__
