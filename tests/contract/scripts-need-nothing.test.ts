import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Every script starts on a machine where nothing is installed (`npm start` and `npm test` install by themselves), so what it
// loads at once may be only Node's own modules and ours. It loads packages by import(), later.
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

const foreignOf = (script: string) =>
  [...loadedAtOnce(script)].flatMap(([file, names]) =>
    names.filter((name) => !name.startsWith('.') && !name.startsWith('node:')).map((name) => `${file}: ${name}`),
  )

const scripts = readdirSync('scripts', { recursive: true, encoding: 'utf8' })
  // Another contract test plants such files while it runs.
  .filter((name) => name.endsWith('.mjs') && !name.includes('planted-violation'))
  .map((name) => path.join('scripts', name))

test.each(scripts)('%s starts with nothing installed', (script) => expect(foreignOf(script)).toEqual([]))

test('the commands that package.json names are among them, and what they load is followed', () => {
  for (const command of ['start', 'build', 'test', 'verify', 'backup', 'restore', 'doctor']) {
    expect(scripts).toContain(`scripts/${command}.mjs`)
  }
  for (const command of ['start', 'test', 'verify']) {
    expect(loadedAtOnce(`scripts/${command}.mjs`).size).toBeGreaterThan(5)
  }
})

test('a package that is loaded at once is found, however far away', () => {
  expect(foreignOf('lib/operations/write-backup.mjs')).toContain('lib/operations/write-backup.mjs: pg')
  expect(foreignOf('lib/operations/restore-backup.mjs')).toContain('prisma/migrate.mjs: pg')
})
