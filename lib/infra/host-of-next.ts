import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Returns the host that one of Next's own servers was configured to listen on. `next start` reads it from `-H` or
 * `--hostname`, and the traced `server.js` reads it from the variable HOSTNAME. Each of them ignores what the other one
 * reads, and both ignore HOST.
 * @param words the command line of the process, as in process.argv
 * @returns null when no host was named, because Next then listens on every address, and null for any other program
 */
export function hostOfNext([, program = '', ...words]: string[], hostname: string | undefined): string | null {
  const name = path.basename(program)
  if (name === 'server.js') return hostname || null
  if (name !== 'next') return null
  const options = { hostname: { type: 'string', short: 'H' } } as const
  const { values } = parseArgs({ args: words, options, strict: false })
  return typeof values.hostname === 'string' ? values.hostname : null
}
