// Tells the browser to compile what every page runs at once while it arrives, on a thread of its own, and not on the one
// that answers fingers: a third of the scripts' time on a phone (bench:pages). V8 reads the comment at the top of a file
// (its explicit compile hints); other engines pass over it.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
/** Below this a file compiles faster than a thread is woken. */
const WORTH_IT_BYTES = 100_000

/**
 * Marks the large scripts among those every page starts with: React and the router.
 * @param {string} buildDir where `next build` has written
 */
export function hintCompilation(buildDir) {
  const { rootMainFiles } = JSON.parse(readFileSync(path.join(buildDir, 'build-manifest.json'), 'utf8'))
  for (const name of rootMainFiles) {
    const file = path.join(buildDir, name)
    const code = readFileSync(file, 'utf8')
    if (code.length >= WORTH_IT_BYTES && !code.startsWith(HINT)) writeFileSync(file, HINT + code)
  }
}
