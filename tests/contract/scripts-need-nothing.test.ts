import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Scripts such as `npm start` install the packages, so every script must start without them. The static imports of a
// script may only be modules of Node and of this repository. A script loads packages later with import().

/** Returns the files that a script imports statically, itself included, with the names that each of them imports. */
function staticallyLoaded(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen
  const source = readFileSync(file, 'utf8')
  const names = [...source.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm)].map(
    (match) => match[1] ?? '',
  )
  seen.set(file, names)
  for (const name of names) if (name.startsWith('.')) staticallyLoaded(path.join(path.dirname(file), name), seen)
  return seen
}

const foreignOf = (script: string) =>
  [...staticallyLoaded(script)].flatMap(([file, names]) =>
    names.filter((name) => !name.startsWith('.') && !name.startsWith('node:')).map((name) => `${file}: ${name}`),
  )

const scripts = readdirSync('scripts', { recursive: true, encoding: 'utf8' })
  // Another contract test creates such files while it runs.
  .filter((name) => name.endsWith('.mjs') && !name.includes('planted-violation'))
  .map((name) => path.join('scripts', name))

test.each(scripts)('%s starts without installed packages', (script) => expect(foreignOf(script)).toEqual([]))

test('the check covers the main commands of package.json and the files that they import', () => {
  for (const command of ['start', 'build', 'test', 'verify', 'backup', 'restore', 'doctor']) {
    expect(scripts).toContain(`scripts/${command}.mjs`)
  }
  for (const command of ['start', 'test', 'verify']) {
    expect(staticallyLoaded(`scripts/${command}.mjs`).size).toBeGreaterThan(5)
  }
})

test('a statically imported package is found in the script and in the files that it imports', () => {
  expect(foreignOf('lib/operations/write-backup.mjs')).toContain('lib/operations/write-backup.mjs: pg')
  expect(foreignOf('lib/operations/restore-backup.mjs')).toContain('prisma/migrate.mjs: pg')
})
