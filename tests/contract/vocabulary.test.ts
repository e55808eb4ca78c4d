// Checks the rules for file names in docs/ARCHITECTURE.md, so that the name of a function leads to its file, and the
// name of a file says what is in it. The rules:
// - `named after its export`: a file of a domain or a component exports something with the file's name. For example,
//   mark-delivered.ts exports markDelivered. The file may export more. A file of a domain may instead have the name of
//   a kind (schema, rules, messages, view, queries, mails or guards). A known prefix is allowed where one file would
//   get too long, as in seller-view.ts. The technical folders of lib have no kinds. There the name may instead be a
//   word that all exports contain: password.ts exports hashPassword and verifyPassword. Any other file needs an entry
//   in GROUPS that says what it holds. The same goes for the tools: scripts, benchmarks, the maintenance of the
//   database, and what the tests share. A tool that exports nothing is a program, which is named after its command.
// - `server only`: a TypeScript file of a domain imports 'server-only', which makes the build fail if a browser bundle
//   includes the file. Files of the kinds that components use (schema, rules, messages and view) must not import
//   'server-only'. The rule does not apply to the domains in IN_BROWSER.
// - `shallow`: the folder of a domain contains at most one level of folders, one per topic.
// Further tests check that docs/ARCHITECTURE.md names every kind, and that no name is exported from two files of lib
// and components, because someone who looks for a name would find the wrong one, and an editor would import it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const BROWSER_KINDS = ['schema', 'rules', 'messages', 'view']
const SERVER_KINDS = ['queries', 'mails', 'guards']
const KINDS = [...BROWSER_KINDS, ...SERVER_KINDS]
/** A new prefix also goes into .dependency-cruiser.cjs when browsers may load its files. */
const PREFIXES = [
  'seller',
  'analytics',
  'ledger',
  'view',
  'option',
  'start',
  'field',
  'filter',
  'task',
  'detail',
  'code',
  'history',
  'edition',
  'open',
  'key',
  'passkey',
  'ship',
  'zone',
  'country',
  'late',
  'address',
  'early',
  'edit',
  'wallet',
  'closure',
  'dispute',
  'refund',
  'demand',
  'answer',
  'share',
  'buyer',
  'line',
  'limit',
  'unit',
  'plain',
]

/** Folders of lib that are not domains: adapters, technical layers, and code that every domain uses. */
const NO_DOMAINS = ['client', 'http', 'infra', 'kernel', 'sandbox', 'server']
/** Files of those folders whose exports belong together without sharing a word, and what such a file holds. */
const GROUPS: Record<string, string> = {
  'lib/http/cookies/buyer-cookie.ts': 'The cookies of a buyer’s browser: its token, and a note of its open checkout.',
  'lib/http/guard.ts': 'The checks that come before a call runs.',
  'lib/http/input.ts': 'Reads what a request carries and checks it against a schema.',
  'lib/http/page.ts': 'What a page needs to know about the person who requests it.',
  'lib/http/responses.ts': 'Builds the responses of routes.',
  'lib/http/sandbox.ts': 'The checks that guard the pages and calls of the sandbox.',
  'lib/http/session.ts': 'The cookie of a session, and the actor it stands for.',
  'lib/infra/crypto.ts': 'Hashes, comparisons and seals.',
  'lib/infra/database-errors.ts': 'Recognizes the errors of Postgres that callers handle.',
  'lib/infra/env-rules.mjs': 'The rules for environment variables.',
  'lib/infra/glyphs.ts': 'Draws letters and emoji as vectors.',
  'lib/infra/images.ts': 'Checks pictures and turns them into the files that are stored.',
  'lib/infra/metrics.ts': 'Counts what happens in this process and writes it in Prometheus’ format.',
  'lib/infra/storage/driver.ts': 'What every storage driver does, and which keys it accepts.',
  'lib/infra/storage/uploadthing-address.ts': 'UploadThing’s rules for keys and signed URLs.',
  'lib/infra/stripe-line.ts': 'The line in which buyers wait for a session at Stripe.',
  'lib/infra/webauthn.ts': 'Makes the requests of WebAuthn, the standard of passkeys, and checks the responses.',
  'lib/kernel/caught-error.mjs': 'Reads the code and the message of a caught value.',
  'lib/kernel/database-address.mjs': 'Reads and rewrites the URLs of databases.',
  'lib/kernel/id.ts': 'Makes ids and secrets, and the short form of an id.',
  'lib/kernel/money.ts': 'Limits, arithmetic and formats of amounts in cents.',
  'lib/kernel/network-address.mjs': 'Reads and classifies network addresses.',
  'lib/kernel/response-headers.mjs': 'Names and values of headers that several layers send.',
  'lib/kernel/text.ts': 'Cleans and shortens strings.',
  'lib/kernel/time.ts': 'Units of time, and formats of times and durations.',
  'lib/server/posted-paths.mjs': 'Which paths accept a plain form.',
  'lib/sandbox/stripe/address.ts': 'The forms of postal addresses in Stripe’s API.',
  'lib/sandbox/stripe/billing/billing-dates.ts': 'The arithmetic of billing periods.',
  'lib/sandbox/stripe/payments/cards.ts': 'The test cards, and what a card number says.',
  'lib/sandbox/stripe/payments/dispute-rules.ts': 'What a dispute means for refunds of the same charge.',
  'lib/sandbox/stripe/payments/dispute-steps.ts': 'The steps of a dispute from its opening to its end.',
  'lib/sandbox/stripe/ids.ts': 'Ids and times as Stripe writes them.',
  'lib/sandbox/stripe/billing/invoice-object.ts': 'Builds Stripe’s invoice object.',
  'lib/sandbox/stripe/params.ts': 'The schemas that parameters of Stripe’s API are made of.',
  'lib/sandbox/stripe/payments/payment-intent-object.ts': 'Creates, checks and cancels Stripe’s payment intent object.',
  'lib/sandbox/stripe/payments/payment-methods.ts': 'Stores cards as payment methods and finds them.',
  'lib/sandbox/stripe/payments/refund-steps.ts': 'The steps of a refund after it was created.',
  'lib/sandbox/stripe/billing/renew-subscriptions.ts': 'What happens to subscriptions when their period ends.',
  'lib/operations/check-database.mjs': 'Checks whether the databases of the environment can be used.',
  'lib/operations/drive-payments.mjs': 'The parts of `npm run stripe:drive` that pay, refund and dispute.',
  'lib/operations/drive-sellers.mjs':
    'The parts of `npm run stripe:drive` about a connected account and a subscription.',
  'lib/operations/drive-world.mjs': 'What the parts of `npm run stripe:drive` share.',
  'prisma/migration-history.mjs': 'Reads, judges and carries over the list of migrations that a database has run.',
  'prisma/schema-engine.mjs': 'Runs Prisma’s schema engine, and what it is asked.',
  'scripts/checks.mjs': 'The checks and tests that `npm run verify` and `npm test` run.',
  'scripts/output.mjs': 'How the commands print a step and a duration.',
  'scripts/postgres/postgres-cluster.mjs': 'The files of the embedded Postgres: its folder, its password, its keeper.',
  'bench/processes.mjs': 'Starts helper processes, and reads what they and the server use.',
  'bench/scenarios/webhooks.mjs': 'The scenario of webhooks: gathers Stripe’s events and delivers all at once.',
  'tests/support/api-answers.ts': 'Compares responses with the API document, and notes which were compared.',
  'tests/support/built-copy.ts': 'Makes a clean copy of the repository, builds and serves it, and looks at it.',
  'tests/support/database-setup.mjs': 'The global setup of Jest.',
  'tests/support/database-teardown.mjs': 'The global teardown of Jest.',
  'tests/support/e2e.ts': 'What the browser tests share: accounts, drops, purchases and emails.',
  'tests/support/earlier-database.ts': 'Databases as earlier versions left them, and the migrations that they had run.',
  'tests/support/factories.ts': 'Makes the rows and contexts that integration tests begin with.',
  'tests/support/photos.ts': 'Pictures for uploads.',
  'tests/support/recorded-run.ts': 'Playwright’s `test`, which records how someone with a keyboard uses a screen.',
  'tests/support/route-table.ts': 'Every route, page and server action, and who may call it.',
  'tests/support/screen-checks.ts': 'What every screen of the browser tests has to fulfill.',
  'tests/support/shop.ts': 'What integration tests do as buyers, as sellers and as Stripe.',
  'tests/support/signed-request.ts': 'Requests of a user who is signed in.',
  'tests/support/stripe-process.ts': 'A program whose types its tests use.',
  'tests/support/typescript-hooks.mjs': 'The hooks of Node’s module loader, which have fixed names.',
  'tests/support/wallet-page.ts': 'What the browser tests do with wallets on the drop page.',
  'tests/support/zoomed-screen.ts':
    'Screens at a zoom of 400 % and turned sideways, and what may not be cut off there.',
  'lib/server/cached-paths.mjs': 'The URL paths whose answers the shared cache keeps.',
}
/** Domains in which every file may run in the browser: the table of plans and the answers of the help chat. */
const IN_BROWSER = ['help-chat', 'plans']
/**
 * The tools: plain modules that are not part of the application, and what the tests share. `bench/next-reference` is an
 * application of its own with the file names of Next.
 */
const TOOLS: [folder: string, extension: RegExp][] = [
  ['lib/artwork', /\.mjs$/],
  ['lib/operations', /\.mjs$/],
  ['bench', /^bench\/(?!next-reference\/).*\.mjs$/],
  ['prisma', /\.mjs$/],
  ['scripts', /\.mjs$/],
  ['tests/support', /\.(ts|mjs)$/],
]
/** The primitives keep the file names of their component library (shadcn/ui), so the rules do not apply to them. */
const PRIMITIVES = 'components/ui/'

type Source = { file: string; text: string }

const isProduction = (file: string) => !/\.test\.tsx?$/.test(file) && !/planted/.test(file)

function sourcesBelow(folder: string, extension = /\.tsx?$/): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((file) => extension.test(file) && isProduction(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

const domains = readdirSync('lib').filter((name) => !NO_DOMAINS.includes(name) && !/planted/.test(name))
const ofDomains = domains.flatMap((name) => sourcesBelow(`lib/${name}`))
const ofTechnicalFolders = NO_DOMAINS.flatMap((name) => sourcesBelow(`lib/${name}`, /\.(tsx?|mjs)$/))
const ofTools = TOOLS.flatMap(([folder, extension]) => sourcesBelow(folder, extension))
const ofComponents = sourcesBelow('components').filter(({ file }) => !file.startsWith(PRIMITIVES))

const nameOf = (file: string) => path.basename(file).replace(/\.(tsx?|mjs)$/, '')
const isOfKind = (file: string, kinds: string[]) =>
  new RegExp(`^((${PREFIXES.join('|')})-)?(${kinds.join('|')})$`).test(nameOf(file))
const isTechnical = (file: string) => NO_DOMAINS.some((name) => file.startsWith(`lib/${name}/`))
const isTool = (file: string) =>
  TOOLS.some(([folder, extension]) => file.startsWith(`${folder}/`) && extension.test(file))
const isDomain = (file: string) => file.startsWith('lib/') && !isTechnical(file) && !isTool(file)

/** Returns the names that a file exports. `values` are the exports that exist at run time, so no types. */
function exportsOf(text: string): { all: string[]; values: string[] } {
  const declared = /^export (?:default )?(?:async )?(function\*?|const|let|class|type|interface) (\w+)/gm
  const found = [...text.matchAll(declared)].map(([, sort = '', name = '']) => ({ name, isType: /^[it]/.test(sort) }))
  return {
    all: found.map(({ name }) => name),
    values: found.filter(({ isType }) => !isType).map(({ name }) => name),
  }
}

const squash = (name: string) => name.replace(/[-_]/g, '').toLowerCase()

function isNamedAfterExport({ file, text }: Source): boolean {
  return exportsOf(text).all.some((name) => squash(name) === squash(nameOf(file)))
}

/** Returns the words of a name in lower case and in the singular, without short words such as "of" and "is". */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
  return words.filter((word) => word.length > 2).map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''))
}

/** Returns whether a file has several exports that all contain the same word of the file's name. */
function isNamedByWord({ file, text }: Source): boolean {
  const { values } = exportsOf(text)
  return values.length > 1 && wordsOf(nameOf(file)).some((word) => values.every((name) => wordsOf(name).includes(word)))
}

type Rule = { name: string; isBroken: (source: Source) => boolean }

const rules: Rule[] = [
  {
    name: 'named after its export',
    isBroken: (source) => {
      if (isNamedAfterExport(source)) return false
      if (isTool(source.file) && exportsOf(source.text).all.length === 0) return false
      if (isTechnical(source.file) || isTool(source.file)) return !isNamedByWord(source) && !(source.file in GROUPS)
      return !(isDomain(source.file) && isOfKind(source.file, KINDS))
    },
  },
  {
    name: 'server only',
    isBroken: ({ file, text }) => {
      if (!isDomain(file) || IN_BROWSER.some((domain) => file.startsWith(`lib/${domain}/`))) return false
      return isOfKind(file, BROWSER_KINDS) === text.includes("import 'server-only'")
    },
  },
  { name: 'shallow', isBroken: ({ file }) => isDomain(file) && file.split('/').length > 4 },
]

const breaches = (rule: Rule, sources: Source[]) => sources.filter(rule.isBroken).map(({ file }) => file)

test.each(rules)('every file follows the rule "$name"', (rule) =>
  expect(breaches(rule, [...ofDomains, ...ofTechnicalFolders, ...ofTools, ...ofComponents])).toEqual([]),
)

/** The files in a folder that can be looked through at a glance. A larger folder of a domain is divided by topic. */
const MAX_FILES = 45

/** Returns the folders in which more than MAX_FILES of these files are. */
function largeFolders(files: string[]): string[] {
  const folders = files.map((file) => path.dirname(file))
  return [...new Set(folders)].filter((folder) => folders.filter((one) => one === folder).length > MAX_FILES)
}

test('the folders of domains are small', () => expect(largeFolders(ofDomains.map(({ file }) => file))).toEqual([]))

test('a large folder is found', () => {
  const files = Array.from({ length: MAX_FILES + 1 }, (_, at) => `lib/drops/keys/key-${at}.ts`)
  expect(largeFolders([...files, 'lib/drops/rules.ts'])).toEqual(['lib/drops/keys'])
})

test('every file of GROUPS exists and follows no other naming rule', () => {
  const needed = [...ofTechnicalFolders, ...ofTools].filter(
    (source) => !isNamedAfterExport(source) && !isNamedByWord(source),
  )
  const files = needed.map(({ file }) => file)
  expect(Object.keys(GROUPS).filter((file) => !files.includes(file))).toEqual([])
})

/** Names that two files export, and why. */
const SHARED_NAMES: Record<string, string> = {
  WaitingInLine:
    'What the call returns: the server’s type, and the same for the browser, which may not import that file.',
}

/** Returns the names that more than one file exports. */
function sharedNames(sources: Source[]): string[] {
  const names = sources.flatMap(({ text }) => [...new Set(exportsOf(text).all)])
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort()
}

test('every exported name has one meaning', () =>
  expect(sharedNames([...ofDomains, ...ofTechnicalFolders, ...sourcesBelow('components')])).toEqual(
    Object.keys(SHARED_NAMES),
  ))

test('a name that two files export is found', () => {
  const [one, other] = ['lib/orders/rules.ts', 'components/orders/row.tsx']
  const sources = [
    { file: one, text: 'export type Row = { id: string }\nexport const rowOf = () => 1' },
    { file: other, text: 'export function Row() {}\nfunction rowOf() {}' },
  ]
  expect(sharedNames(sources)).toEqual(['Row'])
})

test('docs/ARCHITECTURE.md names every kind', () => {
  const architecture = readFileSync('docs/ARCHITECTURE.md', 'utf8')
  expect(KINDS.filter((kind) => !architecture.includes(`\`${kind}.ts\``))).toEqual([])
})

const code = (name: string) => `import 'server-only'\n\nexport async function ${name}(): Promise<void> {}\n`

const shipped = code('markShipped')
const passwords = `${code('hashPassword')}${code('verifyPassword')}`

/** At least one file per rule that breaks the rule, each with a file that follows it. */
const planted: { rule: string; file: string; text: string; good: Source }[] = [
  {
    rule: 'named after its export',
    file: 'lib/shipping/complete-order.ts',
    text: shipped,
    good: { file: 'lib/shipping/mark-shipped.ts', text: shipped },
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
    rule: 'named after its export',
    file: 'lib/infra/totals.ts',
    text: code('formatTotal'),
    good: { file: 'lib/infra/format-total.ts', text: code('formatTotal') },
  },
  {
    rule: 'named after its export',
    file: 'lib/server/accounts.mjs',
    text: passwords,
    good: { file: 'lib/server/passwords.mjs', text: passwords },
  },
  {
    rule: 'named after its export',
    file: 'scripts/clean.mjs',
    text: 'export function removeBuild() {}',
    good: { file: 'scripts/tidy.mjs', text: "await import('./remove-build.mjs')" },
  },
  {
    rule: 'named after its export',
    file: 'tests/support/parcel.ts',
    text: 'export function makeParcel() {}',
    good: { file: 'tests/support/make-parcel.ts', text: 'export function makeParcel() {}' },
  },
  {
    rule: 'server only',
    file: 'lib/shipping/mark-shipped.ts',
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
    rule: 'shallow',
    file: 'lib/shipping/parcels/labels/mark-shipped.ts',
    text: shipped,
    good: { file: 'lib/shipping/parcels/mark-shipped.ts', text: shipped },
  },
]

test.each(planted)('the rule "$rule" finds the violation in $file', ({ rule: name, file, text, good }) => {
  const rule = rules.find((candidate) => candidate.name === name)!
  expect(breaches(rule, [{ file, text }, good])).toEqual([file])
})

test('every rule has a planted violation', () => {
  expect(rules.map(({ name }) => name).filter((name) => !planted.some(({ rule }) => rule === name))).toEqual([])
})
