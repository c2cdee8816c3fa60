/** The one look of the local pages: light and dark, from phone to desk, without a single outside file. */
export const style = `
:root{color-scheme:light dark;--ground:#f5f5f2;--card:#fff;--ink:#1d1f23;--soft:#6b7078;--line:#e3e3de;--accent:#2f6fed;
--good:#16794c;--good-ground:#dff5e8;--bad:#b3261e;--bad-ground:#fce5e3;--shadow:0 1px 2px #0000000d,0 4px 16px #0000000a}
@media(prefers-color-scheme:dark){:root{--ground:#131417;--card:#1d1f24;--ink:#ececef;--soft:#9a9fa8;--line:#2d3038;--accent:#7ba7ff;
--good:#7fdcae;--good-ground:#143527;--bad:#ff9c94;--bad-ground:#401d1b;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
-webkit-text-size-adjust:100%}
a{color:var(--accent)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;padding:16px 24px;border-bottom:1px solid var(--line);
background:var(--card)}
h1{font-size:17px;margin:0 auto 0 0;letter-spacing:-.01em}
nav{display:flex;flex-wrap:wrap;gap:4px}
nav a{padding:5px 12px;border-radius:99px;color:var(--soft);text-decoration:none}
nav a:hover{color:var(--ink)}
nav a[aria-current]{background:var(--ground);color:var(--ink);font-weight:600}
main{max-width:1240px;margin:0 auto;padding:24px}
main.narrow{max-width:800px}
.columns{columns:320px;column-gap:24px}
.columns section{padding-bottom:10px}
.columns h2{break-after:avoid}
.columns article{break-inside:avoid}
h2{display:flex;align-items:center;gap:8px;font-size:14px;margin:0 0 12px}
.dot{width:10px;height:10px;border-radius:50%;background:var(--tint,var(--accent))}
.count{color:var(--soft);font-weight:400;font-variant-numeric:tabular-nums}
article{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);padding:14px 16px;
margin:0 0 14px;overflow-wrap:anywhere}
article.new{animation:arrive 1.2s ease-out}
@keyframes arrive{from{border-color:var(--accent);box-shadow:0 0 0 4px color-mix(in srgb,var(--accent) 25%,transparent)}}
@media(prefers-reduced-motion:reduce){article.new{animation:none}}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:2px 10px}
.top b{margin-right:auto}
.soft,time{color:var(--soft);font-size:13px}
time{font-variant-numeric:tabular-nums;white-space:nowrap}
.text{margin:6px 0 0;white-space:pre-wrap}
.media{display:grid;gap:3px;margin:10px 0 0;border-radius:10px;overflow:hidden}
.media.many{grid-template-columns:1fr 1fr}
.media img,.media video{display:block;width:100%;max-height:420px;object-fit:cover;background:var(--ground)}
.media.many img,.media.many video{height:150px}
.media.many img:nth-child(odd):last-child{grid-column:1/-1}
.file{grid-column:1/-1;padding:8px 12px;background:var(--ground)}
.foot{display:block;margin:8px 0 0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.badge{padding:1px 9px;border-radius:99px;font-size:12px;font-weight:600;white-space:nowrap;color:var(--soft);background:var(--ground)}
.badge.good{color:var(--good);background:var(--good-ground)}
.badge.bad{color:var(--bad);background:var(--bad-ground)}
.empty{padding:36px 16px;text-align:center;color:var(--soft);border:1px dashed var(--line);border-radius:14px}
.notice{display:flex;flex-wrap:wrap;gap:6px;margin:0 0 20px}
details{margin:8px 0 0}
summary{cursor:pointer;color:var(--soft);font-size:13px}
pre{margin:8px 0 0;padding:12px;border-radius:8px;background:var(--ground);font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace;
white-space:pre-wrap}
button{font:inherit;font-weight:600;padding:9px 20px;border:1px solid var(--line);border-radius:10px;background:none;color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--card)}
article.row{padding:0;margin:0 0 6px}
.row details{margin:0}
.row summary{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;padding:8px 14px;color:inherit}
.row .words{flex:1;min-width:120px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.row .soft{max-width:190px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.row pre{margin:0 14px 12px}
.filters{display:flex;flex-wrap:wrap;align-items:end;gap:10px;margin:0 0 14px}
label{display:block;margin:0 0 10px;font-weight:600;font-size:14px}
.filters label{margin:0}
label.check{font-weight:400;display:flex;align-items:center;gap:8px;min-height:42px}
label.check input{margin:0}
input:not([type=checkbox],[type=radio]),select{display:block;width:100%;margin:4px 0 0;padding:8px 10px;font:inherit;font-weight:400;color:inherit;background:var(--card);
border:1px solid var(--soft);border-radius:10px}
.actions{display:flex;gap:10px;justify-content:flex-end;margin:18px 0 2px}
@media(max-width:560px){header{padding:12px 16px}nav{margin:0 -12px}main{padding:16px}}
`
