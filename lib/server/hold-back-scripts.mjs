// Lets a phone paint a page before it loads the scripts of the framework (ADR 0060). Next names all of them in the
// HTML, so they compete with the first picture for a slow network. The forms of such a page work without them.

/** Matches a script of the framework that the page loads, and captures its URL. */
const SCRIPT = /<script\b[^>]*\ssrc="(\/_next\/static\/[^"]+)"[^>]*><\/script>/g
const PRELOAD = /<link\b(?=[^>]*\srel="preload")(?=[^>]*\sas="script")[^>]*>/g
/** Only browsers without modules load such a script, and it has to run before all others. */
const FOR_OLD_BROWSERS = /\snomodule\b/i
const END = '</body>'
/** The scripts are loaded after this time, even if the picture has not arrived and the browser is not idle. */
const LONGEST_MS = 3_000
/** The longest time that the loader waits for an idle browser after the picture has been painted. */
const IDLE_MS = 300
/**
 * After this time the browser may fetch the style sheets of the next page, which this page contains
 * (inline-style-sheets.mjs).
 */
const WARM_MS = 6_000

/**
 * Removes the scripts of the framework from a page and adds a small script that loads them later: when the first
 * picture has been painted and the browser is idle, at the first touch, key press, focus or scroll, or after three
 * seconds. A press on a button that sends a form does not load them, because the browser sends the form itself and
 * needs the network for it.
 * @param {string} page
 * @param {string} [nonce] that of the page's policy, without which the small script would not run
 * @returns {string}
 */
export function holdBackScripts(page, nonce) {
  /** @type {Set<string>} */
  const sources = new Set()
  const rest = page
    .replaceAll(SCRIPT, (tag, source) => {
      if (FOR_OLD_BROWSERS.test(tag)) return tag
      sources.add(source)
      return ''
    })
    .replaceAll(PRELOAD, '')
  const end = rest.lastIndexOf(END)
  if (sources.size === 0 || end === -1) return page
  const mark = nonce ? ` nonce="${nonce}"` : ''
  return `${rest.slice(0, end)}<script${mark}>${loader([...sources])}</script>${rest.slice(end)}`
}

/**
 * Returns the script that loads the others. React finds them in the document by their URL, and expects them to be
 * `async`.
 * @param {string[]} sources
 */
const loader = (sources) => `{
let asked
const load=()=>{
if(asked)return
asked=1
for(const src of ${JSON.stringify(sources)})document.head.append(Object.assign(document.createElement('script'),{src,async:true}))
}
const idle=(work)=>window.requestIdleCallback?requestIdleCallback(work,{timeout:${IDLE_MS}}):setTimeout(work)
const painted=()=>requestAnimationFrame(()=>setTimeout(()=>idle(load)))
const hurry=({target})=>target.closest?.('button')?.form?.hasAttribute('action')||load()
for(const sign of ['pointerdown','keydown','focusin','scroll','lastcall:wake'])addEventListener(sign,hurry,{capture:true,passive:true})
setTimeout(load,${LONGEST_MS})
const warm=()=>{for(const {href} of document.querySelectorAll('link[rel=stylesheet][disabled]'))document.head.append(Object.assign(document.createElement('link'),{rel:'prefetch',as:'style',href}))}
setTimeout(()=>idle(warm),${WARM_MS})
const picture=document.querySelector('img[fetchpriority=high]')
if(picture)picture.decode().then(painted,painted)
else painted()
}`
