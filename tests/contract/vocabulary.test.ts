// Checks the rules for file names in docs/ARCHITECTURE.md, so that the name of a function leads to its file, and the name of
// a file says what is in it. The rules:
// - `named after its export`: a file of a domain is either of a kind (schema, rules, messages, view, queries, mails, guards;
//   with one of the known prefixes where one file would get too long, as in seller-view.ts) or exports something with the
//   file's name, in any case: mark-delivered.ts exports markDelivered. It may export more. The rule holds for components, too.
// - `server only`: every file of a domain imports 'server-only', which makes the build fail when a browser bundle includes it.
//   The kinds that components use (schema, rules, messages and view) must not import it.
// - `flat`: the folder of a domain contains no folders.
// - `documented`: ARCHITECTURE.md names every kind.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const BROWSER_KINDS = ['schema', 'rules', 'messages', 'view']
const SERVER_KINDS = ['queries', 'mails', 'guards']
const KINDS = [...BROWSER_KINDS, ...SERVER_KINDS]
/** A new prefix also goes into .dependency-cruiser.cjs when browsers may load its files. */
const PREFIXES = ['seller', 'ledger', 'money']

/** Folders of lib that are not domains: adapters, technical layers, and code that every domain uses. */
const NO_DOMAINS = ['client', 'http', 'infra', 'kernel', 'sandbox', 'server']
/** Domains that run completely in the browser: pure tables and the help chat's answers. */
const IN_BROWSER = ['help-chat', 'plans']
/** Primitives keep the names of their component library (shadcn/ui). */
const PRIMITIVES = 'components/ui/'

type Source = { file: string; text: string }

const isProduction = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/planted/.test(file)

function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter(isProduction)
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

const domains = readdirSync('lib').filter((name) => !NO_DOMAINS.includes(name) && !/planted/.test(name))
const ofDomains = domains.flatMap((name) => sourcesBelow(`lib/${name}`))
const ofComponents = sourcesBelow('components').filter(({ file }) => !file.startsWith(PRIMITIVES))

const nameOf = (file: string) => path.basename(file).replace(/\.tsx?$/, '')
const isOfKind = (file: string, kinds: string[]) =>
  new RegExp(`^((${PREFIXES.join('|')})-)?(${kinds.join('|')})$`).test(nameOf(file))
const isDomain = (file: string) => file.startsWith('lib/')

function exportsOf(text: string): string[] {
  const declared = /^export (?:default )?(?:async )?(?:function\*?|const|class|type) (\w+)/gm
  return [...text.matchAll(declared)].map(([, name]) => name!.toLowerCase())
}

type Rule = { name: string; isBroken: (source: Source) => boolean }

const rules: Rule[] = [
  {
    name: 'named after its export',
    isBroken: ({ file, text }) =>
      !(isDomain(file) && isOfKind(file, KINDS)) &&
      !exportsOf(text).includes(nameOf(file).replaceAll('-', '').toLowerCase()),
  },
  {
    name: 'server only',
    isBroken: ({ file, text }) => {
      if (!isDomain(file) || IN_BROWSER.some((domain) => file.startsWith(`lib/${domain}/`))) return false
      return isOfKind(file, BROWSER_KINDS) === text.includes("import 'server-only'")
    },
  },
  { name: 'flat', isBroken: ({ file }) => isDomain(file) && file.split('/').length !== 3 },
]

const breaches = (rule: Rule, sources: Source[]) => sources.filter(rule.isBroken).map(({ file }) => file)

test.each(rules)('$name', (rule) => expect(breaches(rule, [...ofDomains, ...ofComponents])).toEqual([]))

test('documented', () => {
  const architecture = readFileSync('docs/ARCHITECTURE.md', 'utf8')
  expect(KINDS.filter((kind) => !architecture.includes(`\`${kind}.ts\``))).toEqual([])
})

const code = (name: string) => `import 'server-only'\n\nexport async function ${name}(): Promise<void> {}\n`

const shipped = code('markShipped')

/** For each rule a file that breaks it, and one that does not. */
const planted: { rule: string; file: string; text: string; good: Source }[] = [
  {
    rule: 'named after its export',
    file: 'lib/orders/complete-order.ts',
    text: shipped,
    good: { file: 'lib/orders/mark-shipped.ts', text: shipped },
  },
  {
    rule: 'named after its export',
    file: 'lib/orders/shipped-queries.ts',
    text: shipped,
    good: { file: 'lib/orders/seller-queries.ts', text: shipped },
  },
  {
    rule: 'named after its export',
    file: 'components/orders/history.tsx',
    text: 'export function Timeline() {}',
    good: { file: 'components/orders/timeline.tsx', text: 'export function Timeline() {}' },
  },
  {
    rule: 'server only',
    file: 'lib/orders/mark-shipped.ts',
    text: 'export function markShipped() {}',
    good: { file: 'lib/orders/rules.ts', text: 'export function mayShip() {}' },
  },
  {
    rule: 'server only',
    file: 'lib/orders/seller-view.ts',
    text: shipped,
    good: { file: 'lib/orders/approve-review.ts', text: shipped },
  },
  {
    rule: 'flat',
    file: 'lib/orders/parcels/mark-shipped.ts',
    text: shipped,
    good: { file: 'lib/orders/mark-shipped.ts', text: shipped },
  },
]

test.each(planted)('$rule: $file is found', ({ rule: name, file, text, good }) => {
  const rule = rules.find((candidate) => candidate.name === name)!
  expect(breaches(rule, [{ file, text }, good])).toEqual([file])
})

test('every rule has a planted violation', () => {
  expect(rules.map(({ name }) => name).filter((name) => !planted.some(({ rule }) => rule === name))).toEqual([])
})
