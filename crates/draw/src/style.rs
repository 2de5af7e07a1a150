//! Colours and strokes of pictures.

/// The style sheet that every picture carries. Players beyond eight share the colours of the first eight.
pub const STYLE: &str = "\
.ludex{--p1:#fbf7ec;--p2:#23292f;--p3:#d55e00;--p4:#0072b2;--p5:#009e73;--p6:#cc79a7;--p7:#e6b000;--p8:#56b4e9;\
--p0:#a8a29a;--line:#5d4a33;--light:#f1e2c4;--dark:#dcc39a;--paper:#f7efdf;--ink:#3c3226;font-family:system-ui,sans-serif}\
.ludex .cell{fill:var(--light);stroke:var(--line);stroke-width:1}\
.ludex .cell.dark{fill:var(--dark)}\
.ludex .cell.shut{fill:var(--ink)}\
.ludex .tongue{fill:#e2c08c}.ludex .tongue.dark{fill:#a9744a}\
.ludex .sum{fill:#f7efdf;text-anchor:middle;dominant-baseline:central;font-weight:700;user-select:none}\
.ludex .slash{stroke:#f7efdf;stroke-opacity:.4}\
.ludex .cell.off{fill:var(--paper);stroke-opacity:.12}\
.ludex .cell.own{fill-opacity:.28}\
.ludex .way{stroke:var(--line);stroke-width:1.6;stroke-linecap:round}\
.ludex .point{fill:var(--line)}\
.ludex .edge{stroke:var(--line);stroke-width:2;stroke-opacity:.35;stroke-linecap:round}\
.ludex .hand{fill:var(--paper);stroke:var(--line);stroke-opacity:.45;rx:8}\
.ludex .ground{fill:var(--light);stroke:var(--line);stroke-opacity:.55;rx:8}\
.ludex .clue{fill:#7a1f10;text-anchor:middle;dominant-baseline:central;font-weight:700;user-select:none}\
.ludex .cage{stroke:#7a1f10;stroke-width:1.4;stroke-dasharray:3 3}\
.ludex .order{fill:none;stroke:#7a1f10;stroke-width:2.4;stroke-linejoin:round}\
.ludex .hole{fill:var(--dark);stroke:var(--line);stroke-width:1.2}\
.ludex .label{fill:var(--ink);fill-opacity:.62;text-anchor:middle;dominant-baseline:central;user-select:none}\
.ludex .last{fill:none;stroke:#2f7d32;stroke-width:3;stroke-opacity:.85}\
.ludex .goal{stroke-linecap:round;stroke-width:5;fill:none}\
.ludex .piece{stroke-width:1.8;stroke-linejoin:round}\
.ludex .piece .in{stroke-width:1.6}\
.ludex .figure{text-anchor:middle;dominant-baseline:central;font-weight:600;fill:var(--ink);stroke:none;user-select:none}\
.ludex .own-figure .figure{fill:#1d4f9c}\
.ludex .plate{fill:var(--light)}\
.ludex .piece .filled{stroke:none}\
.ludex .piece .second{stroke-dasharray:2 2.4}\
.ludex .inked{fill:var(--ink);stroke:var(--ink)}.ludex .crossed{stroke:var(--ink);stroke-opacity:.6}\
.ludex .piece .state{stroke-width:1}\
.ludex .letter{text-anchor:middle;dominant-baseline:central;font-weight:700;stroke:none;user-select:none}\
.ludex .tally{text-anchor:middle;dominant-baseline:central;font-weight:700;fill:#fff;stroke:none;user-select:none}\
.ludex .badge{fill:#a3241c;stroke:#fff;stroke-width:1}\
.ludex .seed{fill:#5b4636;stroke:#2c2118;stroke-width:.6}\
.ludex .die{fill:#fff;stroke:#333;stroke-width:1.4}.ludex .pip{fill:#222}\
.ludex .o0{fill:var(--p0);stroke:#3c3a36;color:#3c3a36}\
.ludex .o1{fill:var(--p1);stroke:#3a352b;color:#3a352b}\
.ludex .o2{fill:var(--p2);stroke:#0d1013;color:#f2eee4}\
.ludex .o3{fill:var(--p3);stroke:#5c2900;color:#fff}\
.ludex .o4{fill:var(--p4);stroke:#00304c;color:#fff}\
.ludex .o5{fill:var(--p5);stroke:#004634;color:#fff}\
.ludex .o6{fill:var(--p6);stroke:#5d2a48;color:#fff}\
.ludex .o7{fill:var(--p7);stroke:#5f4900;color:#3b2d00}\
.ludex .o8{fill:var(--p8);stroke:#174e6d;color:#06283b}\
.ludex .own.c1{fill:#fffdf6;fill-opacity:1}.ludex .own.c2{fill:var(--p2)}.ludex .own.c3{fill:var(--p3)}.ludex .own.c4{fill:var(--p4)}\
.ludex .own.c5{fill:var(--p5)}.ludex .own.c6{fill:var(--p6)}.ludex .own.c7{fill:var(--p7)}.ludex .own.c8{fill:var(--p8)}\
.ludex .g1{stroke:#b8a98a}.ludex .g2{stroke:var(--p2)}.ludex .g3{stroke:var(--p3)}.ludex .g4{stroke:var(--p4)}\
.ludex .g5{stroke:var(--p5)}.ludex .g6{stroke:var(--p6)}.ludex .g7{stroke:var(--p7)}.ludex .g8{stroke:var(--p8)}\
.ludex .piece .in{fill:none;stroke:currentColor}.ludex .letter{fill:currentColor}";
