/// The style sheet of a report.
enum ReportStyle {
    static let sheet: HTML = """
        :root{color-scheme:light dark;--back:#f6f5f2;--card:#fff;--text:#1d1d1f;--soft:#5c6066;--line:#e4e2dd;
        --first:#2458b8;--second:#b0691a;--accepted:#1a7f5a;--dismissed:#bf5b13;--expired:#6d737c;--closed:#8a6fae;--failed:#b3261e;
        --withdrawn:#c9b458;--replaced:#b59a6a;--shown:#a9afb8;--bar:#dbe5f6}
        @media (prefers-color-scheme:dark){:root{--back:#131519;--card:#1c1f25;--text:#e9e9ec;--soft:#a7adb6;
        --line:#31353d;--first:#86b1ff;--second:#eaa65c;--accepted:#54c797;--dismissed:#f1a05a;--expired:#8d949e;--closed:#b8a1d9;
        --failed:#ff8f85;--withdrawn:#8f7f3a;--replaced:#7a6845;--shown:#565c66;--bar:#2b3b58}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;
        overflow-wrap:break-word}
        header,main,footer{max-width:66rem;margin:0 auto;padding:0 1.25rem}
        header{padding-top:3rem}
        h1{font-size:clamp(1.75rem,5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:0}
        h2{font-size:1.3rem;line-height:1.3;letter-spacing:-.01em;margin:0 0 .4rem}
        h3{font-size:1rem;margin:1.75rem 0 .5rem}
        p{margin:0 0 1rem;max-width:42rem}
        .soft,figcaption,footer{color:var(--soft)}
        a{color:var(--first)}
        :focus-visible{outline:2px solid var(--first);outline-offset:2px}
        dl.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.75rem 0 0}
        .tiles div{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.9rem 1rem;
        display:flex;flex-direction:column-reverse;justify-content:flex-end}
        .tiles dt{color:var(--soft);font-size:.85rem;line-height:1.35}
        .tiles dd{margin:0;font-size:1.65rem;line-height:1.25;font-weight:650;letter-spacing:-.02em}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:1.5rem 0 0;padding:0}
        section{background:var(--card);border:1px solid var(--line);border-radius:.9rem;margin:1.25rem 0;
        padding:1.5rem}
        .pair{display:grid;gap:1.75rem;grid-template-columns:minmax(0,1fr)}
        @media (min-width:56rem){.pair{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
        .pair.even{grid-template-columns:repeat(2,minmax(0,1fr))}}
        figure{margin:0}
        figcaption{font-size:.85rem;line-height:1.45;margin-top:.6rem}
        .plot{display:grid;grid-template-columns:3rem minmax(0,1fr);padding-top:.6rem}
        .plot svg{display:block;width:100%;height:13rem;overflow:visible}
        .plot.square{max-width:23rem;margin-right:1.25rem}
        .plot.square svg{height:auto;aspect-ratio:1}
        .plot .y,.plot .x{position:relative;font-size:.75rem;line-height:1rem;color:var(--soft)}
        .plot .y span{position:absolute;right:.6rem;transform:translateY(50%);white-space:nowrap}
        .plot .x{grid-column:2;height:1.5rem;margin-top:.45rem}
        .plot .x span{position:absolute;transform:translateX(-50%);white-space:nowrap}
        .plot .x span:first-child:not(:only-child){transform:none}
        .plot .x span:last-child:not(:only-child){transform:translateX(-100%)}
        .plot.square .x span:nth-child(n):not(:only-child){transform:translateX(-50%)}
        svg *{vector-effect:non-scaling-stroke}
        svg .grid{stroke:var(--line);stroke-width:1}
        svg rect{fill:var(--first)}
        svg rect:hover,svg .dot:hover{opacity:.7}
        .line{fill:none;stroke-width:2.25;stroke-linejoin:round}
        .dot{fill:none;stroke-linecap:round;stroke-width:7}
        .square .dot{stroke-opacity:.85}
        .line.first,.dot.first{stroke:var(--first)}
        .line.second{stroke:var(--second);stroke-dasharray:6 4}
        .dot.second{stroke:var(--second)}
        .diagonal{fill:none;stroke:var(--soft);stroke-width:1.25;stroke-dasharray:3 4}
        ul.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:.6rem 0 0;padding:0;
        font-size:.85rem}
        .legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:.2rem;margin-right:.4rem;
        vertical-align:-.06rem}
        dl.stacks{margin:0}
        .stacks dt{display:flex;justify-content:space-between;gap:1rem;font-size:.9rem;margin-top:.8rem}
        .stacks bdi{min-width:0;overflow-wrap:anywhere}
        .stacks dd{margin:.25rem 0 0}
        .stacks svg{display:block;width:100%;height:1.35rem;border-radius:.3rem}
        .stacks rect{stroke:var(--card);stroke-width:1.5}
        svg .accepted{fill:var(--accepted)}svg .dismissed{fill:var(--dismissed)}svg .expired{fill:var(--expired)}
        svg .closed{fill:var(--closed)}svg .failed{fill:var(--failed)}svg .shown{fill:var(--shown)}
        svg .withdrawn{fill:var(--withdrawn)}i.withdrawn{background:var(--withdrawn)}
        svg .replaced{fill:var(--replaced)}i.replaced{background:var(--replaced)}
        i.first{background:var(--first)}i.second{background:var(--second)}
        i.accepted{background:var(--accepted)}i.dismissed{background:var(--dismissed)}
        i.closed{background:var(--closed)}i.expired{background:var(--expired)}
        i.failed{background:var(--failed)}i.shown{background:var(--shown)}
        .pair.below{grid-template-columns:minmax(0,1fr)}
        .scroll{overflow-x:auto}
        .scroll.long{max-height:17.5rem;overflow-y:auto}
        .scroll.slim{max-width:36rem}
        .scroll.wide table{min-width:35rem}
        .pair>.scroll{align-self:start}
        section>.scroll{margin-top:1.75rem}
        table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.35}
        caption{text-align:left;font-weight:600;padding-bottom:.5rem}
        th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line)}
        th:last-child,td:last-child{padding-right:.25rem}
        thead th{position:sticky;top:0;background:var(--card);border-top:0;color:var(--soft);font-weight:500;
        font-size:.8rem}
        tbody th{font-weight:500}
        .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        td.number:first-of-type,.number{padding-left:.25rem}
        .name{display:block;min-width:5.5rem;max-width:26rem;overflow-wrap:anywhere}
        .time{white-space:nowrap}
        .meter{display:block;height:.3rem;margin-top:.25rem;border-radius:.15rem;background:var(--bar)}
        .meter b{display:block;height:100%;border-radius:.15rem;background:var(--first)}
        footer{padding-bottom:3rem;font-size:.85rem}
        footer p{max-width:none}
        @media (max-width:30rem){header{padding-top:1.75rem}header,main,footer{padding-left:.75rem;padding-right:.75rem}
        section{padding:1.1rem .9rem}.plot{grid-template-columns:2.75rem minmax(0,1fr)}.plot svg{height:10.5rem}
        dl.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
        .tiles div:last-child:nth-child(odd){grid-column:1/-1}}
        @media print{section{break-inside:avoid;background:none}.scroll.long{max-height:none}
        svg rect,i,b{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
        @media (forced-colors:active){svg *,i,b{forced-color-adjust:none}}
        """
}
