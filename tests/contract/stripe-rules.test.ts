import { existsSync, readFileSync } from 'node:fs'

// docs/stripe-rules.md says which tests prove each rule of Stripe. This test checks that these tests exist and name the
// rule.

const lines = readFileSync('docs/stripe-rules.md', 'utf8').split('\n')

type Rule = { id: string; pages: string[]; tests: string[] }

const rules: Rule[] = lines
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, id = '']) => /^[A-Z]\d+$/.test(id))
  .map(([, id = '', , pages = '', tests = '']) => ({
    id,
    pages: pages.split(',').flatMap((page) => page.trim() || []),
    tests: tests.replace(/\(.*\)|, and .*/g, '').split(','),
  }))

const fileOf = (name: string) => (name.endsWith('.test.ts') ? name.trim() : `tests/integration/${name.trim()}.test.ts`)

it('every rule has one row, and the numbers of each letter are in order without a gap', () => {
  const letters = [...new Set(rules.map(({ id }) => id[0]))]
  const expected = letters.flatMap((letter) =>
    rules.filter(({ id }) => id[0] === letter).map((_, at) => `${letter}${at + 1}`),
  )
  expect(rules.map(({ id }) => id)).toEqual(expected)
  expect(letters).toEqual(['A', 'B', 'C', 'D'])
})

it('the document says what each letter stands for', () => {
  const text = lines.join('\n')
  for (const letter of ['A', 'B', 'C', 'D']) expect(text).toContain(`**${letter}**`)
})

test.each(rules)('$id is named in each of its tests', ({ id, tests }) => {
  expect(tests.map(fileOf).filter((file) => !existsSync(file))).toEqual([])
  const named = new RegExp(`\\b${id}\\b`)
  expect(tests.map(fileOf).filter((file) => !named.test(readFileSync(file, 'utf8')))).toEqual([])
})

test.each(rules.filter(({ pages }) => pages.length > 0))(
  'the tests of $id name a page of Stripe that documents the rule',
  ({ pages, tests }) => {
    const text = tests.map((name) => readFileSync(fileOf(name), 'utf8')).join('\n')
    // Compares without the section (#) of a page, because the tests need to name only the page.
    expect(pages.filter((page) => text.includes(`docs.stripe.com${page.split('#')[0]}`))).not.toEqual([])
  },
)

it('the document has at least the rules that were found when the stand-in was compared with the documentation', () => {
  const count = (letter: string) => rules.filter(({ id }) => id.startsWith(letter)).length
  expect([count('A'), count('B'), count('C'), count('D')].map((found, at) => found >= [12, 10, 15, 5][at]!)).toEqual([
    true,
    true,
    true,
    true,
  ])
})
