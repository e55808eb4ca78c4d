// Measures what a first visit loads, as read from the HTML. The scripts that tags or the page's data name and the
// styles are weighed. Preloaded fonts and pictures that are not lazy are only counted. No browser is used, so files
// that scripts load later are missing.
import { gzipSync } from 'node:zlib'

/**
 * @param {string} base
 * @param {string} path
 */
export async function weighPage(base, path) {
  const html = await (await fetch(base + path)).text()
  const tags = html.match(/<(script|link|img)\b[^>]*>/g) ?? []
  /** @type {(tag: string, name: string) => string | undefined} */
  const attribute = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&')
  const withRel = (/** @type {string} */ rel) =>
    tags.filter((tag) => tag.startsWith('<link') && attribute(tag, 'rel') === rel)

  // Only browsers without modules fetch the polyfills, and no current phone has such a browser.
  const polyfills = tags.filter((tag) => /\snomodule\b/i.test(tag)).map((tag) => attribute(tag, 'src'))
  const named = html.match(/\/_next\/static\/[\w./~%()[\]-]+\.js(?:\?[\w=&-]+)?/g) ?? []
  const scripts = [...new Set(named)].filter((source) => !polyfills.some((polyfill) => polyfill?.startsWith(source)))
  const styles = new Set(withRel('stylesheet').flatMap((tag) => attribute(tag, 'href') ?? []))
  const preloads = new Set(
    withRel('preload').flatMap((tag) => (attribute(tag, 'as') === 'font' ? attribute(tag, 'href') : [])),
  )
  const pictures = new Set(
    tags
      .filter((tag) => tag.startsWith('<img') && attribute(tag, 'loading') !== 'lazy')
      .map((tag) => attribute(tag, 'src'))
      .filter((source) => source && !source.startsWith('data:')),
  )

  const gzipped = async (/** @type {string} */ source) => {
    const response = await fetch(new URL(source, base))
    if (!response.ok) throw new Error(`${source} returned status ${response.status}`)
    return gzipSync(Buffer.from(await response.arrayBuffer())).length
  }
  const sum = async (/** @type {Iterable<string>} */ sources) =>
    (await Promise.all([...sources].map(gzipped))).reduce((total, size) => total + size, 0)
  return {
    path,
    htmlBytes: Buffer.byteLength(html),
    htmlGzipBytes: gzipSync(html).length,
    scriptBytes: await sum(scripts),
    scripts: scripts.length,
    styleBytes: await sum(styles),
    requests: 1 + scripts.length + styles.size + preloads.size + pictures.size,
  }
}
