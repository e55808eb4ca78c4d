import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { calls as rows } from '@/tests/support/route-table'

// Others rely on docs/contract.md, so it must list exactly the commands, variables and calls that exist.
const contract = readFileSync('docs/contract.md', 'utf8')

/** Returns the path of a route file in the contract: "/api/drops/{id}" for "api/drops/[id]/route.ts". */
function toCall(file: string): string {
  return `/${path.posix.dirname(file)}`.replace(/\[(\w+)\]/g, '{$1}')
}

const routes = readdirSync('app/api', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('route.ts'))
const calls = routes.map((name) => toCall(path.posix.join('api', name)))

/** next-auth handles these paths with one route. */
const ofNextAuth = ['/api/auth/session', '/api/auth/csrf', '/api/auth/signout']

test('every route is in the contract', () => {
  expect(calls.length).toBeGreaterThan(50)
  expect(calls.filter((call) => !contract.includes(call))).toEqual([])
})

test('every call of the contract has a route', () => {
  const tables = contract.split('\n').filter((line) => line.startsWith('|'))
  const named = tables.flatMap((line) =>
    [...line.matchAll(/`(?:[A-Z]+ )?(\/api\/[^`?\s]+)/g)].map(([, call = '']) => call),
  )
  expect(named.filter((call) => !calls.includes(call) && !ofNextAuth.includes(call))).toEqual([])
})

test('the contract has every variable that the environment rules read, and no other', () => {
  const files = readdirSync('lib/infra').filter((name) => /^(env-rules|read-[a-z-]+)\.mjs$/.test(name))
  const rules = files.map((name) => readFileSync(`lib/infra/${name}`, 'utf8')).join('\n')
  const read = new Set([...rules.matchAll(/\bget\('([A-Z_]+)'\)/g)].map(([, name = '']) => name))
  const environment = contract.slice(contract.indexOf('\n## Environment'), contract.indexOf('\n## Calls'))
  const rows = environment.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  )
  expect(named.sort()).toEqual([...read].sort())
})

test('the contract has every npm script and no other', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const commands = contract.slice(contract.indexOf('\n## Commands'), contract.indexOf('\n## Environment'))
  const named = [...commands.matchAll(/`(?:npm (?:run )?)?([a-z]+(?:[:-][a-z0-9]+)?)`/g)].map(([, name = '']) => name)
  expect(named).toContain('start')
  expect(named.filter((name) => !(name in scripts))).toEqual([])
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([])
})

/** The headings whose tables have no column "who", and who may make their calls. */
const CALLERS_OF: Record<string, string> = {
  'Calls anyone may make': 'anyone',
  'Calls about buying': 'anyone',
  'Calls of administrators': 'admin',
}

/** Returns each call of the tables in the contract with the caller that its row or its heading names. */
function namedCallers(): { call: string; who: string }[] {
  const sections = contract.slice(contract.indexOf('\n## Calls'), contract.indexOf('\n## Shapes')).split('\n### ')
  return sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const cells = lines
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    const column = (cells[0] ?? []).indexOf('who')
    const ofHeading = CALLERS_OF[heading]
    return cells.slice(1).flatMap((row) => {
      const who = column > 0 ? row[column] : ofHeading
      if (who === undefined) return []
      return [...(row[1] ?? '').matchAll(/`([A-Z]+ \/[^`?\s]*)/g)].map(([, call = '']) => ({ call, who }))
    })
  })
}

/** The words of the contract for each caller in the route table. */
const WORDS: Record<string, string> = { active: 'active seller', pro: 'seller with Pro' }

test('the contract names the same callers as the route table', () => {
  const named = namedCallers().filter(({ call }) => !ofNextAuth.includes(call.replace(/^\S+ /, '')))
  expect(named.length).toBeGreaterThan(60)
  const ofTable = (call: string) => (rows[call.replace(/\{(\w+)\}/g, '[$1]')] ?? '').replace('+open', '')
  const wrong = named.filter(({ call, who }) => who !== (WORDS[ofTable(call)] ?? ofTable(call)))
  expect(wrong.map(({ call, who }) => `${call}: ${who}, and not ${ofTable(call)}`)).toEqual([])
})
