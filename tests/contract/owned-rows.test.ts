import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Each of these columns and tables has an owner that writes it, because copies of the same rule would soon differ. This test
// searches the sources of the application for statements elsewhere that write them.
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
      /"(?:sold|held)"\s*=\s*(?!ANY)(?:[rdv]\.)?["(\d$:]/,
      /\b(?:sold|held):\s*\{\s*(?:increment|decrement|set)\b/,
    ],
    mayWrite: (file) => file === 'lib/stock/stock-sql.ts',
    planted: ['UPDATE "Drop" SET "held" = d."held" + 1', '"sold" = 0', 'data: { sold: { increment: 1 } }'],
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
      /\b(?:drop(?:Run)?|optionValue|discountCode)\s*\.\s*(?:create|createMany|update|updateMany|upsert|delete|deleteMany)\(/,
      /(?:INSERT\s+INTO|DELETE\s+FROM)\s+"(?:Drop(?:Run)?|OptionValue|DiscountCode)"/,
      /UPDATE\s+"(?:Drop(?:Run)?|OptionValue|DiscountCode)"(?:\s+[a-z])?\s+SET\s+(?!\$\{(?:stock|value|code)Sql\.)/,
    ],
    // `npm run remove-demo` runs outside the application, in plain JavaScript, so it cannot use the functions of lib/drops.
    mayWrite: (file) => file.startsWith('lib/drops/') || file === 'lib/operations/remove-demo.mjs',
    planted: [
      'await tx.db.drop.update({',
      'tx.db.optionValue.create({',
      'UPDATE "OptionValue" v SET "quantity"',
      'tx.db.discountCode.updateMany({',
      'UPDATE "DiscountCode" c SET "used"',
      'UPDATE "Drop" SET "isActive" = false',
      'UPDATE "DropRun" r SET "endTime"',
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
