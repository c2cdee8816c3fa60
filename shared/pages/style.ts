/** The one style sheet of the pages: light and dark, for small and large screens, without external files. */
export const style = `:root{color-scheme:light dark;--ground:#f4f4f1;--card:#fff;--ink:#1c1e22;--soft:#585d66;--line:#8a8f98;--edge:#e2e2dd;--accent:#1f5fd6;--on-accent:#fff;--bad:#a8201a;--bad-ground:#fdecea;--good:#11633c;--good-ground:#e1f5e9;--shadow:0 1px 2px #0000000d,0 8px 28px #00000012}
@media(prefers-color-scheme:dark){:root{--ground:#121316;--card:#1c1e23;--ink:#ededf0;--soft:#a6abb4;--line:#70757f;--edge:#2e3139;--accent:#8ab1ff;--on-accent:#0f1420;--bad:#ff9d95;--bad-ground:#3d1c1a;--good:#86e0b3;--good-ground:#143527;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%;display:flex;flex-direction:column;align-items:center;padding:24px 16px}
.brand{display:flex;align-items:center;gap:10px;margin:4vh 0 20px;font-weight:600;letter-spacing:-.01em}
.brand::before{content:"";width:14px;height:14px;border-radius:50%;background:var(--accent)}
main{width:100%;max-width:420px;background:var(--card);border:1px solid var(--edge);border-radius:18px;box-shadow:var(--shadow);padding:28px 24px;overflow-wrap:anywhere}
h1{font-size:24px;line-height:1.25;letter-spacing:-.02em;margin:0 0 14px}
p{margin:0 0 16px}
.soft{color:var(--soft)}
.field{margin:0 0 18px}
label{display:block;font-weight:600;margin:0 0 6px}
.hint{color:var(--soft);font-size:14px;margin:0 0 6px}
input,select{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:11px 12px}
input[aria-invalid]{border-color:var(--bad);border-width:2px}
input.code{font:600 22px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.14em;text-transform:uppercase;text-align:center}
label.choice{display:flex;gap:12px;align-items:center;font-weight:400;margin:0;padding:10px 0}
label.choice input{width:20px;height:20px;flex:none;margin:0;accent-color:var(--accent)}
label.choice+button,label.choice+.field{margin-top:14px}
footer{margin:16px 0 0;color:var(--soft);font-size:13px}
.after{margin:16px 0 0}
.logo{display:block;max-width:160px;max-height:64px}
.error{color:var(--bad);font-size:14px;margin:6px 0 0}
.notice,.alert{border-radius:10px;padding:11px 14px;margin:0 0 18px}
.notice{color:var(--good);background:var(--good-ground)}
.alert{color:var(--bad);background:var(--bad-ground)}
button{width:100%;font:inherit;font-weight:600;padding:12px 20px;border:1px solid var(--line);border-radius:10px;background:none;color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button+button{margin-top:12px}
.who{margin-top:24px;padding-top:20px;border-top:1px solid var(--edge)}
.who p{margin:0 0 12px}
h2{font-size:17px;margin:32px 0 10px}
h1+h2{margin-top:20px}
pre,code{font:14px/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{margin:0 0 16px;padding:12px 14px;border:1px solid var(--edge);border-radius:10px;white-space:pre-wrap}
main ul:not(.links){margin:0 0 16px;padding-left:20px}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible,input[type=time]:focus{outline:3px solid var(--accent);outline-offset:3px;border-radius:6px}
dl{margin:0 0 20px;border:1px solid var(--edge);border-radius:12px;overflow:hidden}
dl div{padding:10px 14px}
dl div+div{border-top:1px solid var(--edge)}
dt{color:var(--soft);font-size:14px}
dd{margin:0}
main ul.rows{list-style:none;padding:0;border:1px solid var(--edge);border-radius:12px}
.rows li{display:flex;gap:12px;align-items:center;justify-content:space-between;padding:10px 14px}
.rows li+li{border-top:1px solid var(--edge)}
.rows form{flex:none}
.rows li>.soft{flex:none;max-width:50%;text-align:right;overflow-wrap:normal}
.rows button{width:auto;padding:7px 14px}
fieldset{display:flex;flex-wrap:wrap;gap:0 24px;border:0;border-top:1px solid var(--edge);margin:0;padding:10px 0}
legend{float:left;width:100%;padding:0}
fieldset label.choice{padding:4px 0}
fieldset+button{margin-top:14px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.links{margin:20px 0 0;padding:0;list-style:none;display:grid;gap:8px}
.links+*{margin-top:20px}
.plan h2,.plan h3{font-size:18px;margin:0 0 4px}
.plan{border:1px solid var(--edge);border-radius:12px;padding:14px;margin:0 0 12px}
.plan p{margin:0 0 8px}
.plan form,.plan h3+dl{margin-top:12px}
form+form{margin-top:12px}
main.article{max-width:760px}
.article pre{white-space:pre;overflow-x:auto}
.article h2{font-size:20px;margin:28px 0 10px}
.article h3{font-size:17px;margin:22px 0 8px}
.article li+li{margin-top:4px}
.code{position:relative}
.code pre{padding-top:40px}
.code button{position:absolute;top:7px;right:7px;width:auto;padding:3px 10px;font-size:13px;border-radius:8px;background:var(--card)}
.article .code pre{padding-right:80px}
.toc{border-left:3px solid var(--edge);padding-left:16px;margin:0 0 24px;font-size:15px}
main .toc ul{list-style:none;margin:0;padding:0}
.toc .depth-3{padding-left:16px}
.scroll{overflow-x:auto;margin:0 0 16px}
table{border-collapse:collapse;font-size:15px;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:8px 12px 8px 0;border-bottom:1px solid var(--edge);min-width:90px}
.contents{margin:0 0 20px}
main>:last-child,.plan>:last-child{margin-bottom:0}
@media(max-width:480px){body{padding:12px}main{padding:24px 18px}.brand{margin:12px 0 16px}}
`
