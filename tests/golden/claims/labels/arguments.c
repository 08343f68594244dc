// More parameters than a small table of labels has: each one decides.
#include <stdarg.h>
int last_of_65(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64)
{
    if (a64 == 7)
        return 1;
    return 0;
}

int last_of_127(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, int a70,
    int a71, int a72, int a73, int a74, int a75, int a76, int a77, int a78, int a79, int a80,
    int a81, int a82, int a83, int a84, int a85, int a86, int a87, int a88, int a89, int a90,
    int a91, int a92, int a93, int a94, int a95, int a96, int a97, int a98, int a99, int a100,
    int a101, int a102, int a103, int a104, int a105, int a106, int a107, int a108, int a109,
    int a110, int a111, int a112, int a113, int a114, int a115, int a116, int a117, int a118,
    int a119, int a120, int a121, int a122, int a123, int a124, int a125, int a126)
{
    if (a126 == 7)
        return 1;
    return 0;
}

int last_of_300(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, int a70,
    int a71, int a72, int a73, int a74, int a75, int a76, int a77, int a78, int a79, int a80,
    int a81, int a82, int a83, int a84, int a85, int a86, int a87, int a88, int a89, int a90,
    int a91, int a92, int a93, int a94, int a95, int a96, int a97, int a98, int a99, int a100,
    int a101, int a102, int a103, int a104, int a105, int a106, int a107, int a108, int a109,
    int a110, int a111, int a112, int a113, int a114, int a115, int a116, int a117, int a118,
    int a119, int a120, int a121, int a122, int a123, int a124, int a125, int a126, int a127,
    int a128, int a129, int a130, int a131, int a132, int a133, int a134, int a135, int a136,
    int a137, int a138, int a139, int a140, int a141, int a142, int a143, int a144, int a145,
    int a146, int a147, int a148, int a149, int a150, int a151, int a152, int a153, int a154,
    int a155, int a156, int a157, int a158, int a159, int a160, int a161, int a162, int a163,
    int a164, int a165, int a166, int a167, int a168, int a169, int a170, int a171, int a172,
    int a173, int a174, int a175, int a176, int a177, int a178, int a179, int a180, int a181,
    int a182, int a183, int a184, int a185, int a186, int a187, int a188, int a189, int a190,
    int a191, int a192, int a193, int a194, int a195, int a196, int a197, int a198, int a199,
    int a200, int a201, int a202, int a203, int a204, int a205, int a206, int a207, int a208,
    int a209, int a210, int a211, int a212, int a213, int a214, int a215, int a216, int a217,
    int a218, int a219, int a220, int a221, int a222, int a223, int a224, int a225, int a226,
    int a227, int a228, int a229, int a230, int a231, int a232, int a233, int a234, int a235,
    int a236, int a237, int a238, int a239, int a240, int a241, int a242, int a243, int a244,
    int a245, int a246, int a247, int a248, int a249, int a250, int a251, int a252, int a253,
    int a254, int a255, int a256, int a257, int a258, int a259, int a260, int a261, int a262,
    int a263, int a264, int a265, int a266, int a267, int a268, int a269, int a270, int a271,
    int a272, int a273, int a274, int a275, int a276, int a277, int a278, int a279, int a280,
    int a281, int a282, int a283, int a284, int a285, int a286, int a287, int a288, int a289,
    int a290, int a291, int a292, int a293, int a294, int a295, int a296, int a297, int a298,
    int a299)
{
    if (a299 == 7)
        return 1;
    return 0;
}

static int inner(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, int a70,
    int a71, int a72, int a73, int a74, int a75, int a76, int a77, int a78, int a79, int a80,
    int a81, int a82, int a83, int a84, int a85, int a86, int a87, int a88, int a89, int a90,
    int a91, int a92, int a93, int a94, int a95, int a96, int a97, int a98, int a99)
{
    if (a99 == 8)
        return 1;
    return a98 > 3 ? 2 : 0;
}

int through_a_call(int x, int y)
{
    return inner(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, y, x);
}

int through_a_pointer(int x)
{
    int (*volatile f)(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
    int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
    int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
    int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
    int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
    int, int, int, int, int, int, int, int, int, int) = inner;
    if (f(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 0, x) == 1)
        return 1;
    return 0;
}

struct large { int a[20]; };
static int by_value(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, struct large s)
{
    return s.a[19] == 5;
}

int record_behind_many(struct large s)
{
    if (by_value(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, s))
        return 1;
    return 0;
}

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int variadic(int x, int y)
{
    if (sum(130, x, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, y, x) == 1234)
        return 1;
    return 0;
}

static double mixed(int count, ...)
{
    va_list list;
    double total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += i % 2 ? va_arg(list, double) : (double)va_arg(list, long);
    va_end(list);
    return total;
}

int variadic_mixed(double x)
{
    if (mixed(80, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0,
    0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0,
    0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0,
    0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, 0.0, 0L, x) == 12.5)
        return 1;
    return 0;
}

typedef float four __attribute__((vector_size(16)));
static int behind_vector(int count, ...)
{
    va_list list;
    va_start(list, count);
    four v = va_arg(list, four);
    int x = va_arg(list, int);
    va_end(list);
    return v[3] == 2.0f && x == 9;
}

int variadic_vector(int x, float y)
{
    four v = { 0, 0, 0, y };
    if (behind_vector(2, v, x))
        return 1;
    return 0;
}

// Beyond the limit labels are lost, and that is said.
static int beyond(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
    int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
    int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
    int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
    int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
    int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
    int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, int a70,
    int a71, int a72, int a73, int a74, int a75, int a76, int a77, int a78, int a79, int a80,
    int a81, int a82, int a83, int a84, int a85, int a86, int a87, int a88, int a89, int a90,
    int a91, int a92, int a93, int a94, int a95, int a96, int a97, int a98, int a99, int a100,
    int a101, int a102, int a103, int a104, int a105, int a106, int a107, int a108, int a109,
    int a110, int a111, int a112, int a113, int a114, int a115, int a116, int a117, int a118,
    int a119, int a120, int a121, int a122, int a123, int a124, int a125, int a126, int a127,
    int a128, int a129, int a130, int a131, int a132, int a133, int a134, int a135, int a136,
    int a137, int a138, int a139, int a140, int a141, int a142, int a143, int a144, int a145,
    int a146, int a147, int a148, int a149, int a150, int a151, int a152, int a153, int a154,
    int a155, int a156, int a157, int a158, int a159, int a160, int a161, int a162, int a163,
    int a164, int a165, int a166, int a167, int a168, int a169, int a170, int a171, int a172,
    int a173, int a174, int a175, int a176, int a177, int a178, int a179, int a180, int a181,
    int a182, int a183, int a184, int a185, int a186, int a187, int a188, int a189, int a190,
    int a191, int a192, int a193, int a194, int a195, int a196, int a197, int a198, int a199,
    int a200, int a201, int a202, int a203, int a204, int a205, int a206, int a207, int a208,
    int a209, int a210, int a211, int a212, int a213, int a214, int a215, int a216, int a217,
    int a218, int a219, int a220, int a221, int a222, int a223, int a224, int a225, int a226,
    int a227, int a228, int a229, int a230, int a231, int a232, int a233, int a234, int a235,
    int a236, int a237, int a238, int a239, int a240, int a241, int a242, int a243, int a244,
    int a245, int a246, int a247, int a248, int a249, int a250, int a251, int a252, int a253,
    int a254, int a255, int a256, int a257, int a258, int a259, int a260, int a261, int a262,
    int a263, int a264, int a265, int a266, int a267, int a268, int a269, int a270, int a271,
    int a272, int a273, int a274, int a275, int a276, int a277, int a278, int a279, int a280,
    int a281, int a282, int a283, int a284, int a285, int a286, int a287, int a288, int a289,
    int a290, int a291, int a292, int a293, int a294, int a295, int a296, int a297, int a298,
    int a299, int a300, int a301, int a302, int a303, int a304, int a305, int a306, int a307,
    int a308, int a309, int a310, int a311, int a312, int a313, int a314, int a315, int a316,
    int a317, int a318, int a319, int a320, int a321, int a322, int a323, int a324, int a325,
    int a326, int a327, int a328, int a329, int a330, int a331, int a332, int a333, int a334,
    int a335, int a336, int a337, int a338, int a339, int a340, int a341, int a342, int a343,
    int a344, int a345, int a346, int a347, int a348, int a349, int a350, int a351, int a352,
    int a353, int a354, int a355, int a356, int a357, int a358, int a359, int a360, int a361,
    int a362, int a363, int a364, int a365, int a366, int a367, int a368, int a369, int a370,
    int a371, int a372, int a373, int a374, int a375, int a376, int a377, int a378, int a379,
    int a380, int a381, int a382, int a383, int a384, int a385, int a386, int a387, int a388,
    int a389, int a390, int a391, int a392, int a393, int a394, int a395, int a396, int a397,
    int a398, int a399, int a400, int a401, int a402, int a403, int a404, int a405, int a406,
    int a407, int a408, int a409, int a410, int a411, int a412, int a413, int a414, int a415,
    int a416, int a417, int a418, int a419, int a420, int a421, int a422, int a423, int a424,
    int a425, int a426, int a427, int a428, int a429, int a430, int a431, int a432, int a433,
    int a434, int a435, int a436, int a437, int a438, int a439, int a440, int a441, int a442,
    int a443, int a444, int a445, int a446, int a447, int a448, int a449, int a450, int a451,
    int a452, int a453, int a454, int a455, int a456, int a457, int a458, int a459, int a460,
    int a461, int a462, int a463, int a464, int a465, int a466, int a467, int a468, int a469,
    int a470, int a471, int a472, int a473, int a474, int a475, int a476, int a477, int a478,
    int a479, int a480, int a481, int a482, int a483, int a484, int a485, int a486, int a487,
    int a488, int a489, int a490, int a491, int a492, int a493, int a494, int a495, int a496,
    int a497, int a498, int a499, int a500, int a501, int a502, int a503, int a504, int a505,
    int a506, int a507, int a508, int a509, int a510, int a511, int a512, int a513, int a514,
    int a515, int a516, int a517, int a518, int a519, int a520, int a521, int a522, int a523,
    int a524, int a525, int a526, int a527, int a528, int a529, int a530, int a531, int a532,
    int a533, int a534, int a535, int a536, int a537, int a538, int a539, int a540, int a541,
    int a542, int a543, int a544, int a545, int a546, int a547, int a548, int a549, int a550,
    int a551, int a552, int a553, int a554, int a555, int a556, int a557, int a558, int a559,
    int a560, int a561, int a562, int a563, int a564, int a565, int a566, int a567, int a568,
    int a569, int a570, int a571, int a572, int a573, int a574, int a575, int a576, int a577,
    int a578, int a579, int a580, int a581, int a582, int a583, int a584, int a585, int a586,
    int a587, int a588, int a589, int a590, int a591, int a592, int a593, int a594, int a595,
    int a596, int a597, int a598, int a599, int a600, int a601, int a602, int a603, int a604,
    int a605, int a606, int a607, int a608, int a609, int a610, int a611, int a612, int a613,
    int a614, int a615, int a616, int a617, int a618, int a619, int a620, int a621, int a622,
    int a623, int a624, int a625, int a626, int a627, int a628, int a629, int a630, int a631,
    int a632, int a633, int a634, int a635, int a636, int a637, int a638, int a639, int a640,
    int a641, int a642, int a643, int a644, int a645, int a646, int a647, int a648, int a649,
    int a650, int a651, int a652, int a653, int a654, int a655, int a656, int a657, int a658,
    int a659, int a660, int a661, int a662, int a663, int a664, int a665, int a666, int a667,
    int a668, int a669, int a670, int a671, int a672, int a673, int a674, int a675, int a676,
    int a677, int a678, int a679, int a680, int a681, int a682, int a683, int a684, int a685,
    int a686, int a687, int a688, int a689, int a690, int a691, int a692, int a693, int a694,
    int a695, int a696, int a697, int a698, int a699, int a700, int a701, int a702, int a703,
    int a704, int a705, int a706, int a707, int a708, int a709, int a710, int a711, int a712,
    int a713, int a714, int a715, int a716, int a717, int a718, int a719, int a720, int a721,
    int a722, int a723, int a724, int a725, int a726, int a727, int a728, int a729, int a730,
    int a731, int a732, int a733, int a734, int a735, int a736, int a737, int a738, int a739,
    int a740, int a741, int a742, int a743, int a744, int a745, int a746, int a747, int a748,
    int a749, int a750, int a751, int a752, int a753, int a754, int a755, int a756, int a757,
    int a758, int a759, int a760, int a761, int a762, int a763, int a764, int a765, int a766,
    int a767, int a768, int a769, int a770, int a771, int a772, int a773, int a774, int a775,
    int a776, int a777, int a778, int a779, int a780, int a781, int a782, int a783, int a784,
    int a785, int a786, int a787, int a788, int a789, int a790, int a791, int a792, int a793,
    int a794, int a795, int a796, int a797, int a798, int a799, int a800, int a801, int a802,
    int a803, int a804, int a805, int a806, int a807, int a808, int a809, int a810, int a811,
    int a812, int a813, int a814, int a815, int a816, int a817, int a818, int a819, int a820,
    int a821, int a822, int a823, int a824, int a825, int a826, int a827, int a828, int a829,
    int a830, int a831, int a832, int a833, int a834, int a835, int a836, int a837, int a838,
    int a839, int a840, int a841, int a842, int a843, int a844, int a845, int a846, int a847,
    int a848, int a849, int a850, int a851, int a852, int a853, int a854, int a855, int a856,
    int a857, int a858, int a859, int a860, int a861, int a862, int a863, int a864, int a865,
    int a866, int a867, int a868, int a869, int a870, int a871, int a872, int a873, int a874,
    int a875, int a876, int a877, int a878, int a879, int a880, int a881, int a882, int a883,
    int a884, int a885, int a886, int a887, int a888, int a889, int a890, int a891, int a892,
    int a893, int a894, int a895, int a896, int a897, int a898, int a899, int a900, int a901,
    int a902, int a903, int a904, int a905, int a906, int a907, int a908, int a909, int a910,
    int a911, int a912, int a913, int a914, int a915, int a916, int a917, int a918, int a919,
    int a920, int a921, int a922, int a923, int a924, int a925, int a926, int a927, int a928,
    int a929, int a930, int a931, int a932, int a933, int a934, int a935, int a936, int a937,
    int a938, int a939, int a940, int a941, int a942, int a943, int a944, int a945, int a946,
    int a947, int a948, int a949, int a950, int a951, int a952, int a953, int a954, int a955,
    int a956, int a957, int a958, int a959, int a960, int a961, int a962, int a963, int a964,
    int a965, int a966, int a967, int a968, int a969, int a970, int a971, int a972, int a973,
    int a974, int a975, int a976, int a977, int a978, int a979, int a980, int a981, int a982,
    int a983, int a984, int a985, int a986, int a987, int a988, int a989, int a990, int a991,
    int a992, int a993, int a994, int a995, int a996, int a997, int a998, int a999, int a1000,
    int a1001, int a1002, int a1003, int a1004, int a1005, int a1006, int a1007, int a1008,
    int a1009, int a1010, int a1011, int a1012, int a1013, int a1014, int a1015, int a1016,
    int a1017, int a1018, int a1019, int a1020, int a1021, int a1022, int a1023, int a1024,
    int a1025, int a1026, int a1027, int a1028, int a1029, int a1030, int a1031, int a1032,
    int a1033, int a1034, int a1035, int a1036, int a1037, int a1038, int a1039, int a1040,
    int a1041, int a1042, int a1043, int a1044, int a1045, int a1046, int a1047, int a1048,
    int a1049, int a1050, int a1051, int a1052, int a1053, int a1054, int a1055, int a1056,
    int a1057, int a1058, int a1059, int a1060, int a1061, int a1062, int a1063, int a1064,
    int a1065, int a1066, int a1067, int a1068, int a1069, int a1070, int a1071, int a1072,
    int a1073, int a1074, int a1075, int a1076, int a1077, int a1078, int a1079, int a1080,
    int a1081, int a1082, int a1083, int a1084, int a1085, int a1086, int a1087, int a1088,
    int a1089, int a1090, int a1091, int a1092, int a1093, int a1094, int a1095, int a1096,
    int a1097, int a1098, int a1099)
{
    return a1099;
}

int beyond_the_limit(int x)
{
    if (beyond(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, x) == 77)
        return 1;
    return 0;
}
