// loops_library.hh: what the library of loops exports; a generated file gives the parts.
#include "kernels/loop_code.h"

extern "C" const char cuna__text_version[];

extern "C" __attribute__((visibility("default"), used)) const cuna_loop_library cuna_loops = {
    cuna__text_version,
    PARTS,
    parts,
    {cuna::enter<cuna::flat<cuna::Map>>, cuna::enter<cuna::rows<cuna::Map>>, cuna::enter<cuna::tiles<cuna::Map>>,
     cuna::enter_scan<cuna::SCAN_IN_ROWS>, cuna::enter_scan<cuna::SCAN_IN_TILES>,
     cuna::enter_scan<cuna::SCAN_IN_COLUMNS>},
    {cuna::measure_walk, cuna::measure_walk, cuna::measure_walk, cuna::measure_scan, cuna::measure_scan,
     cuna::measure_scan},
};
