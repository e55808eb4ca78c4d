// Asks the browser to compile the scripts that every page starts with on another thread while they arrive, instead of on the
// main thread, which has to answer the visitor's taps. Without it, compiling takes a third of the scripts' time on a phone
// (`npm run bench:pages`). V8 reads the comment below at the top of a file (explicit compile hints); other engines ignore it.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
/** A smaller file is compiled faster than another thread is started. */
const LARGE_BYTES = 100_000

/**
 * Puts the hint on the large scripts (React and the router) among those that every page starts with.
 * @param {string} buildDir where `next build` wrote
 */
export function hintCompilation(buildDir) {
  /** @type {{ rootMainFiles: string[] }} */
  const { rootMainFiles } = JSON.parse(readFileSync(path.join(buildDir, 'build-manifest.json'), 'utf8'))
  for (const name of rootMainFiles) {
    const file = path.join(buildDir, name)
    const code = readFileSync(file, 'utf8')
    if (code.length >= LARGE_BYTES && !code.startsWith(HINT)) writeFileSync(file, HINT + code)
  }
}
