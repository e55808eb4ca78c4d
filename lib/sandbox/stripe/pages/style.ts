import 'server-only'
import { createHash } from 'node:crypto'

/**
 * The style of the sandbox pages, in light and dark colors (docs/product.md#look). It is inline, so most colors are
 * copies from `app/globals.css`. The two fonts are the small files that every page of the application preloads.
 */
export const STYLE = `
@font-face{font-family:Geist;src:url(/fonts/geist-basic.woff2) format("woff2");font-weight:400 800;font-display:swap}
@font-face{font-family:Bricolage;src:url(/fonts/bricolage-grotesque-basic.woff2) format("woff2");font-weight:400 800;font-display:swap}
:root{color-scheme:light dark;--paper:#FBF9F5;--surface:#FFFFFF;--ink:#17150F;--muted:#6B665C;--line:#E7E2D8;--control:#8D877B;--ember:#C93A05;--ember-strong:#A92F02;--on-ember:#FFFFFF;--bad:#B42318;--good:#17703F;--banner:#FFF1D6;--on-banner:#6B4700}
@media (prefers-color-scheme:dark){:root{--paper:#121110;--surface:#1B1918;--ink:#F4F0E8;--muted:#A39C8F;--line:#2E2A27;--control:#7B756A;--ember:#FF7A3D;--ember-strong:#FF9666;--on-ember:#1C0B02;--bad:#FF6B5E;--good:#4CC38A;--banner:#33270F;--on-banner:#F3C877}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding:1rem 0 9rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Geist,ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere}
.banner{margin:0;padding:.625rem 1rem;background:var(--banner);color:var(--on-banner);font-weight:600;font-size:.9375rem;text-align:center}
main{max-width:30rem;margin:0 auto;padding:1.25rem 1rem 2rem}
h1,h2,legend{font-family:Bricolage,ui-sans-serif,system-ui,sans-serif;font-weight:800}
h1{font-size:1.875rem;line-height:1.1;margin:0 0 .5rem;letter-spacing:-.02em}
h2{font-size:1.0625rem;margin:0 0 .75rem}
p{margin:0 0 .75rem}
a{color:inherit;text-underline-offset:.2em}
.muted{color:var(--muted)}
.num{font-variant-numeric:tabular-nums}
.card{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:1rem;margin:0 0 1rem}
.items{list-style:none;margin:0;padding:0}
.item{display:flex;gap:.875rem;align-items:center;margin:0 0 .75rem}
.item img{width:96px;height:120px;object-fit:cover;border-radius:10px;background:var(--line);flex:none}
.item .grow{flex:1;min-width:0}
.item .name{font-weight:600}
.secure{display:flex;gap:.5rem;align-items:center;font-weight:600;margin:0 0 1rem}
.secure svg{flex:none;color:var(--good)}
.fuse{margin:0 0 1rem;color:var(--ember-strong)}
.time{display:flex;justify-content:space-between;gap:1rem;margin:0 0 .375rem;font-weight:600}
.minutes{height:1.5em;line-height:1.5em;overflow:hidden;text-align:right;flex:none}
.minutes span{display:block;white-space:nowrap;animation:minutes 1s both}
@keyframes minutes{to{transform:translateY(calc(var(--minutes)*-1.5em))}}
.track{height:.5rem;border-radius:99px;background:var(--line)}
.burn{position:relative;height:100%;border-radius:99px;background:var(--ember);animation:burn 1s linear both}
.burn::after{content:"";position:absolute;right:-.375rem;top:-.125rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--ember);box-shadow:0 0 0 .25rem color-mix(in srgb,var(--ember) 30%,transparent)}
@keyframes burn{to{width:0}}
@media(forced-colors:active){.track{outline:1px solid CanvasText}.burn,.burn::after{background:CanvasText;forced-color-adjust:none}}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.total{display:flex;justify-content:space-between;gap:1rem;border-top:1px solid var(--line);padding-top:.75rem;font-size:1.25rem;font-weight:700}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{float:left;width:100%;padding:0;font-size:1.0625rem;margin:0 0 .75rem}
legend+*{clear:both}
.field{margin:0 0 .875rem}
label{display:block;font-weight:600;font-size:.9375rem;margin:0 0 .25rem}
.optional{font-weight:400;color:var(--muted)}
input,select{display:block;width:100%;min-height:48px;padding:.5rem .75rem;font:inherit;font-size:16px;color:var(--ink);background:var(--surface);border:1px solid var(--control);border-radius:10px}
input[readonly]{background:var(--paper);color:var(--muted)}
input[aria-invalid=true],select[aria-invalid=true]{border-color:var(--bad);border-width:2px}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid var(--ember);outline-offset:2px}
.error{color:var(--bad);font-size:.9375rem;margin:.25rem 0 0}
.alert{border:2px solid var(--bad);border-radius:14px;padding:.875rem 1rem;margin:0 0 1rem;background:var(--surface)}
.alert p{font-weight:600;color:var(--bad);margin:0}
.alert .next{font-weight:400;color:var(--ink);margin-top:.25rem}
.alert ul{margin:.25rem 0 0;padding-left:1.25rem}
.alert a{display:inline-flex;align-items:center;min-height:44px}
details{margin:0}
summary{min-height:44px;padding:.625rem 0;font-size:.9375rem;cursor:pointer}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:52px;padding:.75rem 1rem;font:inherit;font-weight:700;font-size:1.0625rem;border-radius:10px;border:1px solid transparent;cursor:pointer;text-align:center;text-decoration:none}
.primary{background:var(--ember);color:var(--on-ember)}
.quiet{background:transparent;color:var(--ink);border-color:var(--control)}
.stack>*+*{margin-top:.75rem}
.bar{position:sticky;bottom:0;background:var(--paper);padding:.75rem 0 calc(.75rem + env(safe-area-inset-bottom));border-top:1px solid var(--line)}
.back{display:inline-flex;align-items:center;min-height:44px}
.center{text-align:center}
.cards{list-style:none;margin:0;padding:0;font-size:.9375rem}
.cards li{padding:.375rem 0;border-top:1px solid var(--line)}
.cards li:first-child{border-top:0}
code{font:inherit;font-variant-numeric:tabular-nums;font-weight:600}
@media(width>=16rem){code{white-space:nowrap}}
@media (min-width:768px),(height<30rem){html{scroll-padding-bottom:1rem}.bar{position:static;border-top:0}}
@media (min-width:768px){main{padding-top:2.5rem}}
`

/** Returns the hash by which the Content-Security-Policy allows an inline style. */
export function hashOfStyle(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`
}

export const STYLE_HASH = hashOfStyle(STYLE)
