import { runInNewContext } from 'node:vm'
import { holdBackScripts } from './hold-back-scripts.mjs'

const PAGE =
  '<!DOCTYPE html><html><head><link rel="preload" href="/_next/static/media/a.woff2" as="font"/>' +
  '<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/main.js"/>' +
  '<script src="/_next/static/chunks/one.js" async="" nonce="n"></script>' +
  '<script src="/_next/static/chunks/old.js" noModule="" nonce="n"></script></head>' +
  '<body><p>Low Sun</p><script src="/_next/static/chunks/main.js" id="_R_" async=""></script>' +
  '<script nonce="n">self.__next_f=[]</script><script src="/_next/static/chunks/one.js" async=""></script></body></html>'

const inlineScript = (page: string) => /<script>([^]*?)<\/script><\/body>/.exec(page)?.[1] ?? ''

/**
 * Runs the loader of a page in a simulated browser. The test controls when its picture is decoded and when it is idle.
 */
function open({ hasPicture = true } = {}) {
  const loaded: object[] = []
  const listeners = new Map<string, (event: object) => void>()
  const timers: [work: () => void, ms: number | undefined][] = []
  let decoded = () => {}
  let idle = () => {}
  const picture = { decode: () => new Promise<void>((resolve) => (decoded = resolve)) }
  const window = { requestIdleCallback: (work: () => void) => (idle = work) }
  runInNewContext(inlineScript(holdBackScripts(PAGE)), {
    ...window,
    window,
    document: {
      querySelector: () => (hasPicture ? picture : null),
      createElement: () => ({}),
      head: { append: (script: object) => loaded.push(script) },
    },
    addEventListener: (sign: string, listener: (event: object) => void) => listeners.set(sign, listener),
    setTimeout: (work: () => void, ms?: number) => timers.push([work, ms]),
    requestAnimationFrame: (work: () => void) => work(),
  })
  const runTimers = (wanted: (ms: number | undefined) => boolean) =>
    timers.filter(([, ms]) => wanted(ms)).forEach(([work]) => work())
  return {
    loaded,
    signs: [...listeners.keys()],
    touch: (sign: string, target: object) => listeners.get(sign)!({ target }),
    decode: async () => {
      decoded()
      await new Promise(setImmediate)
      runTimers((ms) => ms === undefined)
    },
    runShort: () => runTimers((ms) => ms === undefined),
    rest: () => idle(),
    waitLong: () => runTimers((ms) => ms === 3000),
  }
}

const BOTH = [
  { src: '/_next/static/chunks/one.js', async: true },
  { src: '/_next/static/chunks/main.js', async: true },
]
const button = (form: object | null) => ({ closest: () => ({ form }) })

it('removes the scripts of the framework and their preloads, and keeps everything else', () => {
  const page = holdBackScripts(PAGE)
  expect(page.replace(/<script>[^]*?<\/script><\/body>/, '</body>')).toBe(
    '<!DOCTYPE html><html><head><link rel="preload" href="/_next/static/media/a.woff2" as="font"/>' +
      '<script src="/_next/static/chunks/old.js" noModule="" nonce="n"></script></head>' +
      '<body><p>Low Sun</p><script nonce="n">self.__next_f=[]</script></body></html>',
  )
})

it('returns a page without such scripts, or without a closing body tag, unchanged', () => {
  for (const page of ['<p>Gone</p>', '<body><script src="/a.js"></script></body>', PAGE.replace('</body>', '')]) {
    expect(holdBackScripts(page)).toBe(page)
  }
})

it('loads each script once, when the picture is painted and the browser is idle', async () => {
  const page = open()
  expect(page.loaded).toEqual([])
  await page.decode()
  expect(page.loaded).toEqual([])
  page.rest()
  page.waitLong()
  page.touch('pointerdown', {})
  expect(page.loaded).toEqual(BOTH)
})

it('waits only for an idle browser on a page without a picture', () => {
  const page = open({ hasPicture: false })
  page.runShort()
  page.rest()
  expect(page.loaded).toEqual(BOTH)
})

it('loads the scripts at the first touch, key press, focus or scroll', () => {
  const { signs } = open()
  expect(signs).toEqual(['pointerdown', 'keydown', 'focusin', 'scroll', 'lastcall:wake'])
  for (const sign of signs) {
    const page = open()
    // The target of a scroll is the document, which has no closest().
    page.touch(sign, sign === 'scroll' ? {} : button(null))
    expect(page.loaded).toEqual(BOTH)
  }
})

it('leaves the network to the form when its button is pressed', () => {
  const page = open()
  page.touch('pointerdown', button({ hasAttribute: (name: string) => name === 'action' }))
  expect(page.loaded).toEqual([])
  page.waitLong()
  expect(page.loaded).toEqual(BOTH)
})

it('loads the scripts after three seconds even if the picture never arrives', () => {
  const page = open()
  page.waitLong()
  expect(page.loaded).toEqual(BOTH)
})
