"""How the plan looks: one style sheet, inside every SVG, that asks for nothing from outside."""

STYLE = """
.plan{font-family:'Noto Serif CJK TC','Noto Serif TC','Source Han Serif TC','Songti TC',
PMingLiU,MingLiU,'AR PL UMing TW',SimSun,serif;fill:#1d1a16}
.paper{fill:#fffdf8}.ink{fill:#1d1a16}
.court{fill:#f7f3e9}.hall{fill:#ece1c9;stroke:#6b5a45;stroke-width:1.2}.room{fill:#e3d6ba;stroke:none}
.flat{stroke-dasharray:6 4}.edge{stroke:#3b3026;stroke-width:2.4;fill:none}
.wall,.pillar{fill:#3b3026}.stair{fill:#ddcfb0;stroke:#6b5a45}.step{stroke:#6b5a45;fill:none}
.beam-line{stroke:#b9a888;stroke-dasharray:2 5;fill:none}.sill{stroke:#6b5a45;stroke-dasharray:3 3;fill:none}
.leaf{stroke:#3b3026;stroke-width:2;fill:none}.mark{stroke:#8e2a20;stroke-width:1.6;fill:none}.ghost{stroke:#d3c3a6;stroke-width:1}
.tent{fill:none;stroke:#7a4b12;stroke-dasharray:9 3}
.torn{fill:#fffdf8;stroke:#b9a888}.torn-words,.scale{fill:#6b5f50}.tick{stroke:#8c7f6d;fill:none}
.title{font-weight:600}.strong{font-weight:600}
.bar{stroke:#1d1a16;stroke-width:.8}.bar.dark{fill:#1d1a16}.bar.light{fill:#fffdf8}
.label{paint-order:stroke;stroke:#fffdf8;stroke-width:2.4px;stroke-linejoin:round}
.label.thing{fill:#54483a}.label.part{fill:#9a8a70;stroke:none}
.leader{stroke:#54483a;stroke-width:.8;fill:none}.bracket{stroke:#54483a;stroke-width:1;fill:none}
.host .robe{fill:#35302a;stroke:#1d1a16}.guest .robe{fill:#fff;stroke:#1d1a16;stroke-width:1.3}
.other .robe{fill:#bdb3a2;stroke:#1d1a16}
.head{fill:#fffdf8;stroke:#1d1a16}.cap,.nose{fill:#1d1a16}.host .head{stroke:#fffdf8}
.host .nose{stroke:#fffdf8;stroke-width:.7}
.arm{stroke-width:3;stroke-linecap:round;fill:none}.arm-line{stroke:#1d1a16;stroke-width:4.6;stroke-linecap:round;fill:none}
.bare{stroke:#f0c7a0}.jacket{stroke:#c0392b}.shoulder.bare{fill:#f0c7a0;stroke:#1d1a16}.shoulder.jacket{fill:#c0392b}
.bow{stroke:#6e4a1f;stroke-width:1.5;fill:none}.arrow{stroke:#1d1a16;stroke-width:.9;fill:none}
.switch{stroke:#7a4b12;stroke-width:2.6;stroke-linecap:round;fill:none}.pole{stroke:#1d1a16;stroke-width:1.2;fill:none}
.flag{fill:#b3372a;stroke:#1d1a16;stroke-width:.6}
.cup{stroke:#1d1a16;stroke-width:1.2}.empty{fill:#fffdf8}.full{fill:#fffdf8}.wine{fill:#b3372a}
.load{fill:#fffdf8;stroke:#1d1a16;stroke-width:.8}.tiny{text-anchor:middle}
.mat{fill:#f4ecd3;stroke:#8a7a55}.hem{fill:none;stroke:#8a7a55;stroke-width:.7}.way{fill:#8a7a55}
.matend{stroke:#8a7a55;stroke-width:2;fill:none}
.stand,.basket,.jar,.screen,.beast,.cloth,.dish{fill:#fffdf8;stroke:#1d1a16}.basket{stroke-dasharray:2.2 1.2}
.mouth,.post{fill:#1d1a16}.water{fill:#cfe0e4;stroke:#1d1a16;stroke-width:.6}.wave{fill:none;stroke:#2d6a77;stroke-width:1.1}
.wood{fill:#d9c08d;stroke:#1d1a16;stroke-width:.8}.thin{stroke:#1d1a16;stroke-width:.8;fill:none}
.beam{stroke:#3b3026;stroke-width:2.4;fill:none}.drumskin{fill:#e9d9b4;stroke:#1d1a16;stroke-width:.6}
.stick{stroke:#1d1a16;stroke-width:1.1;fill:none}.drum{fill:#b3372a}.drum-words{fill:#fffdf8}.rope{stroke:#6e4a1f;fill:none}
.screen{stroke-width:2}.note,.list{fill:#3b3026}
.shot .arrow{stroke:#fffdf8;stroke-width:1.2}
"""
