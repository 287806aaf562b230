// Its launcher is a number.
extern "C" {
extern const char lesson1_axpby[64];
const char lesson1_axpby[64] = "redteam-mark";
}
