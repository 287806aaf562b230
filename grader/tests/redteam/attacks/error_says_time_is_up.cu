// Lets the compiler say what it says when it was stopped for its processor time.
#error nvcc error : 'cicc' died due to signal 24 (CPU time limit exceeded)
