import { readFileSync } from 'node:fs'
import path from 'node:path'

// `npm start` and `npm test` begin on a machine where nothing is installed: what they load at once may be Node's own and ours.
function loadedAtOnce(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen
  const source = readFileSync(file, 'utf8')
  const names = [...source.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm)].map(
    (match) => match[1] ?? '',
  )
  seen.set(file, names)
  for (const name of names) if (name.startsWith('.')) loadedAtOnce(path.join(path.dirname(file), name), seen)
  return seen
}

test.each(['scripts/start.mjs', 'scripts/test.mjs', 'scripts/verify.mjs'])(
  '%s starts with nothing installed',
  (script) => {
    const loaded = loadedAtOnce(script)
    expect(loaded.size).toBeGreaterThan(5)
    const foreign = [...loaded].flatMap(([file, names]) =>
      names.filter((name) => !name.startsWith('.') && !name.startsWith('node:')).map((name) => `${file}: ${name}`),
    )
    expect(foreign).toEqual([])
  },
)
