// Asks the browser to compile the large scripts that every page loads on another thread while they arrive, so that the
// main thread is free for the visitor's taps. Without the hint, compilation takes a third of the scripts' time on a
// phone (`npm run bench:pages`). The hint is a comment at the top of a file. V8 reads the comment (explicit compile
// hints), and other engines ignore it.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
/** A smaller file gets no hint, because compiling it is faster than starting another thread. */
const LARGE_BYTES = 100_000

/**
 * Adds the hint to the large scripts that every page loads (React and the router).
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
