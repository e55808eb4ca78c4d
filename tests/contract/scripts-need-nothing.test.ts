import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Every script starts before the packages are installed (`npm start` and `npm test` install them), so its static imports may
// only be Node's own modules and ours. It loads packages later with import().
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
  // Another contract test creates such files while it runs.
  .filter((name) => name.endsWith('.mjs') && !name.includes('planted-violation'))
  .map((name) => path.join('scripts', name))

test.each(scripts)('%s starts without installed packages', (script) => expect(foreignOf(script)).toEqual([]))

test('the commands of package.json are checked together with the files they import', () => {
  for (const command of ['start', 'build', 'test', 'verify', 'backup', 'restore', 'doctor']) {
    expect(scripts).toContain(`scripts/${command}.mjs`)
  }
  for (const command of ['start', 'test', 'verify']) {
    expect(loadedAtOnce(`scripts/${command}.mjs`).size).toBeGreaterThan(5)
  }
})

test('a statically imported package is found through other files', () => {
  expect(foreignOf('lib/operations/write-backup.mjs')).toContain('lib/operations/write-backup.mjs: pg')
  expect(foreignOf('lib/operations/restore-backup.mjs')).toContain('prisma/migrate.mjs: pg')
})
