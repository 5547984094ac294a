// loops_library.hh: what the library of loops exports; a generated file gives the parts.
#include "kernels/interpret_panels.hh"

extern "C" const char cuna__text_version[];

extern "C" __attribute__((visibility("default"), used)) const cuna_loop_library cuna_loops = {
    cuna__text_version,
    PARTS,
    parts,
    {cuna::enter<cuna::flat<cuna::Map>>, cuna::enter<cuna::rows_or_panels>, cuna::enter<cuna::tiles<cuna::Map>>,
     cuna::enter_fold<cuna::fold_rows<cuna::Folded>, true>, cuna::enter_fold<cuna::fold_columns<cuna::Folded>, false>,
     cuna::enter_fold<cuna::fold_tiles<cuna::Folded>, false>, cuna::enter_scan<cuna::SCAN_IN_ROWS>,
     cuna::enter_scan<cuna::SCAN_IN_TILES>, cuna::enter_scan<cuna::SCAN_IN_COLUMNS>},
    cuna::enter_merge,
    {cuna::measure<cuna::WalkArgs>, cuna::measure<cuna::WalkArgs>, cuna::measure<cuna::WalkArgs>,
     cuna::measure<cuna::FoldArgs>, cuna::measure<cuna::FoldArgs>, cuna::measure<cuna::FoldArgs>,
     cuna::measure<cuna::ScanArgs>, cuna::measure<cuna::ScanArgs>, cuna::measure<cuna::ScanArgs>},
};
