import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Every table has an owner, the folder of lib that writes it, because copies of the same rule would soon differ.
// Another folder calls a function of the owner, which joins the caller's transaction. This test searches the sources of
// the application for statements elsewhere that write a table, and for columns that have a single file as their owner.
// It does not see nested writes of Prisma, such as `images: { create: … }`.
const sources = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
)

type Owner = { what: string; writes: RegExp[]; mayWrite: (file: string) => boolean; planted: string[]; reads: string[] }

const owners: Owner[] = [
  {
    what: 'sold and held are written in lib/stock',
    // Comparisons are allowed, because the invariants of `npm run doctor` compare these columns.
    writes: [
      /"(?:sold|held)"\s*=\s*(?!ANY)(?:[a-z]{1,9}\.)?(?:["(\d$:]|GREATEST|LEAST|COALESCE)/,
      /\(\s*"(?:sold|held)"\s*,\s*"(?:sold|held)"\s*\)\s*=/,
      /\b(?:sold|held):\s*\{\s*(?:increment|decrement|set)\b/,
    ],
    mayWrite: (file) => file === 'lib/stock/stock-sql.ts' || file === 'lib/stock/code-sql.ts',
    planted: [
      'UPDATE "Drop" SET "held" = d."held" + 1',
      '"sold" = 0',
      '"held" = GREATEST(0, d."held" - 1)',
      '"sold" = run."sold" + 1',
      '("sold", "held") = (1, 2)',
      'data: { sold: { increment: 1 } }',
    ],
    reads: ['WHERE d."sold" > 0', 'SELECT "held" FROM "Drop"'],
  },
  {
    what: 'the uses of a discount code are written in lib/stock',
    writes: [
      /"(?:used|discountedCents)"\s*=\s*c\./,
      /\b(?:used|discountedCents):\s*\{\s*(?:increment|decrement|set)\b/,
    ],
    mayWrite: (file) => file === 'lib/stock/code-sql.ts',
    planted: ['UPDATE "DiscountCode" c SET "used" = c."used" + 1', 'data: { used: { increment: 1 } }'],
    reads: ['c."used" < c."maxUses"'],
  },
  {
    what: 'a drop is written in lib/drops, by npm run remove-demo, and elsewhere only with the assignments of lib/stock',
    writes: [
      /\b(?:drop(?:Run)?|optionValue|discountCode)\s*\.\s*(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/,
      /(?:INSERT\s+INTO|DELETE\s+FROM(?:\s+ONLY)?|MERGE\s+INTO)\s+"(?:Drop(?:Run)?|OptionValue|DiscountCode)"/,
      /UPDATE\s+(?:ONLY\s+)?"(?:Drop(?:Run)?|OptionValue|DiscountCode)"(?:\s+(?:AS\s+)?[a-z]\w*)?\s+SET\s+(?!\$\{(?:stock|value|code)Sql\.)/,
      // Another column after an assignment of lib/stock.
      /UPDATE\s+"(?:Drop(?:Run)?|OptionValue|DiscountCode)"[^;]{0,40}\sSET\s+\$\{(?:stock|value|code)Sql\.[^}]*\}\s*,\s*"/,
    ],
    // `npm run remove-demo` runs outside the application, in plain JavaScript, so it cannot use the functions of
    // lib/drops.
    mayWrite: (file) => file.startsWith('lib/drops/') || file === 'lib/operations/remove-demo.mjs',
    planted: [
      'await tx.db.drop.update({',
      'tx.db.optionValue.create({',
      'UPDATE "OptionValue" v SET "quantity"',
      'tx.db.discountCode.updateMany({',
      'UPDATE "DiscountCode" c SET "used"',
      'UPDATE "Drop" SET "isActive" = false',
      'UPDATE "DropRun" r SET "endTime"',
      'UPDATE ONLY "Drop" AS d SET "isActive" = false',
      'UPDATE "Drop" dd SET "isActive" = false',
      'UPDATE "Drop" d SET ${stockSql.take(1)}, "isActive" = false',
      'MERGE INTO "Drop" d USING "Hold" h ON true',
      'tx.db.drop.updateManyAndReturn({',
    ],
    reads: [
      'UPDATE "Drop" d SET ${stockSql.take(1)}',
      'UPDATE "OptionValue" v SET ${valueSql.take(1)}',
      'UPDATE "DiscountCode" c SET ${codeSql.take}',
      'db.drop.findFirst({',
    ],
  },
]

const isWritten = ({ writes }: Owner, text: string) => writes.some((pattern) => pattern.test(text))

describe.each(owners)('$what', (owner) => {
  test('no other file breaks this rule', () => {
    expect(sources.length).toBeGreaterThan(500)
    const writers = sources.filter((file) => isWritten(owner, readFileSync(file, 'utf8')))
    expect(writers.filter((file) => !owner.mayWrite(file))).toEqual([])
    expect(writers.length).toBeGreaterThan(0)
  })

  test.each(owner.planted)('%s is recognized as a write', (text) => expect(isWritten(owner, text)).toBe(true))
  test.each(owner.reads)('%s is not recognized as a write', (text) => expect(isWritten(owner, text)).toBe(false))
})

/** A folder that writes a table of another folder, and why it cannot call a function of the owner. */
type Guests = Record<string, string>

const CLOSING = 'scrubAccount() removes what an account leaves behind in one place, so that nothing is forgotten.'
const SALE = 'One statement sells the units; how they are counted comes from lib/stock, as checked above.'
const BACK = 'One statement puts the units of a refunded order on sale again, or takes them off again.'
const CLAIM = 'One statement claims the unit for an entry of the waitlist, so that two claims cannot both succeed.'

/** The owner of every table. A table that a library writes has the folder that sets the library up. */
const TABLES: Record<string, string | [owner: string, guests: Guests]> = {
  User: [
    'accounts',
    {
      payouts: 'The columns of the connected account, which change by conditions on themselves.',
      subscriptions: 'The columns of the plan and of the Stripe customer, which follow the subscription.',
    },
  ],
  PublicProfile: ['profiles', { accounts: CLOSING }],
  SellerDetails: ['traders', { accounts: CLOSING }],
  TaxRate: ['traders', { accounts: CLOSING }],
  Follower: ['followers', { accounts: CLOSING }],
  Session: 'accounts',
  Token: 'accounts',
  TotpCredential: 'accounts',
  RecoveryCode: 'accounts',
  Passkey: 'accounts',
  SpentChallenge: 'accounts',
  ReservedUsername: 'accounts',
  Subscription: 'subscriptions',
  UpgradeCheckout: 'subscriptions',
  Drop: ['drops', { checkout: SALE, refunds: BACK }],
  DropRun: ['drops', { checkout: SALE, refunds: BACK }],
  OptionValue: ['drops', { checkout: SALE, refunds: BACK }],
  DiscountCode: ['drops', { checkout: SALE }],
  EditionNumber: 'stock',
  DropKey: [
    'stock',
    {
      drops: 'Sellers add keys to a drop.',
      orders: 'An order shows, replaces and voids the keys that lib/stock gave to it.',
      refunds: 'A refund returns the keys of an order.',
      accounts: CLOSING,
    },
  ],
  RunChange: 'drops',
  DropImage: 'drops',
  DigitalFile: 'drops',
  StoredObject: 'uploads',
  DropView: 'drops',
  DropTap: 'drops',
  DropHour: 'drops',
  WaitlistEntry: [
    'waitlist',
    { notifications: 'A drop whose start changes takes its reminders back, and may not import the waitlist.' },
  ],
  FollowerNotice: 'followers',
  EarlyLink: 'followers',
  Hold: ['checkout', { waitlist: CLAIM, refunds: BACK }],
  Order: [
    'checkout',
    {
      waitlist: CLAIM,
      refunds: 'The status and the refunded sum, which follow from refunds and disputes.',
      shipping: 'The columns of the parcel: its address, its tracking number, its days and its arrival.',
    },
  ],
  ShippingDelay: [
    'shipping',
    { refunds: 'The refund of a late order closes the question in the transaction that plans the refund.' },
  ],
  AddressChange: 'shipping',
  Refund: ['refunds', { checkout: 'The statement that settles a payment plans the refund of one that buys nothing.' }],
  Transfer: 'payouts',
  PayoutOffset: 'payouts',
  HandPayment: 'payouts',
  DebtPayment: 'payouts',
  Dispute: 'refunds',
  Download: 'orders',
  PurchaseRecord: 'checkout',
  WebhookEvent: 'webhooks',
  OutboxMail: 'notifications',
  ModerationReview: ['trust', { drops: 'Withholding a drop opens its review, and drops may not import lib/trust.' }],
  ProfileReport: 'trust',
  Strike: 'trust',
  Appeal: [
    'trust',
    { accounts: `${CLOSING} An administrator who lifts a suspension decides the open appeal with it.` },
  ],
  AuditEntry: 'platform',
  PlatformSettings: 'platform',
  Tally: 'platform',
  StripeLine: 'infra',
  RateLimit: 'infra',
  JobLease: 'jobs',
  PolicyReport: 'platform',
  SandboxObject: 'sandbox',
  SandboxIdempotencyKey: 'sandbox',
  SandboxDelivery: 'sandbox',
}
/**
 * `npm run remove-demo` runs outside the application, in plain JavaScript, so it cannot use the functions of the
 * folders.
 */
const OUTSIDE = 'lib/operations/remove-demo.mjs'

const models = readdirSync('prisma/schema').flatMap((file) =>
  [...readFileSync(`prisma/schema/${file}`, 'utf8').matchAll(/^model (\w+)/gm)].map(([, name = '']) => name),
)

/** Returns whether a text writes a table, with Prisma or in SQL. */
function writesTable(table: string, text: string): boolean {
  const model = table.charAt(0).toLowerCase() + table.slice(1)
  const call = `\\.\\s*${model}\\s*\\.\\s*(?:create|update|upsert|delete)(?:Many)?(?:AndReturn)?\\(`
  const statement = `(?:INSERT\\s+INTO|UPDATE(?:\\s+ONLY)?|DELETE\\s+FROM|MERGE\\s+INTO|TRUNCATE|COPY)\\s+"${table}"`
  return new RegExp(`${call}|${statement}`).test(text)
}

const folderOf = (file: string) => (file.startsWith('lib/') ? (file.split('/')[1] ?? '') : file)

const texts = sources.filter((file) => file !== OUTSIDE).map((file) => ({ file, text: readFileSync(file, 'utf8') }))

function foldersOf(table: string): string[] {
  const owner = TABLES[table] ?? []
  return typeof owner === 'string'
    ? [owner]
    : owner.flatMap((part) => (typeof part === 'string' ? part : Object.keys(part)))
}

test('every table has an owner, and every owner a table', () => {
  expect(models.length).toBeGreaterThan(50)
  expect(Object.keys(TABLES).sort()).toEqual(models.toSorted())
})

test.each(models)('%s is written by its owner only, and by each folder that is named with a reason', (table) => {
  const writers = texts.filter(({ text }) => writesTable(table, text)).map(({ file }) => file)
  expect(writers.filter((file) => !foldersOf(table).includes(folderOf(file)))).toEqual([])
  expect(foldersOf(table).filter((folder) => !writers.map(folderOf).includes(folder))).toEqual([])
})

test.each([
  ['Transfer', 'await tx.db.transfer.updateMany({'],
  ['Transfer', 'INSERT INTO "Transfer" ("id")'],
  ['WaitlistEntry', 'UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL'],
  ['StoredObject', 'ctx.db.storedObject\n    .createManyAndReturn({'],
  ['Session', 'DELETE FROM "Session"'],
  ['Hold', 'UPDATE "Hold" h SET "source" = v."source"'],
])('%s is written by: %s', (table, text) => expect(writesTable(table, text)).toBe(true))

test.each([
  ['Transfer', 'await tx.db.transfer.findMany({'],
  ['Drop', 'UPDATE "DropRun" r SET "sold" = 0'],
  ['Order', 'SELECT 1 FROM "Order" WHERE "id" = $1 FOR UPDATE'],
  ['Hold', 'JOIN "Hold" h ON b."holdId" = h."id"'],
])('%s is only read, or another table is written, by: %s', (table, text) =>
  expect(writesTable(table, text)).toBe(false),
)
