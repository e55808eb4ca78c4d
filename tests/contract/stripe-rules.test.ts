import { existsSync, readFileSync } from 'node:fs'

// docs/stripe-rules.md says which tests prove each rule of Stripe. The table is worth something only while that is true.

const lines = readFileSync('docs/stripe-rules.md', 'utf8').split('\n')

type Rule = { id: string; tests: string[] }

const rules: Rule[] = lines
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, id = '']) => /^[A-Z]\d+$/.test(id))
  .map(([, id = '', , , tests = '']) => ({ id, tests: tests.replace(/\(.*\)|, and .*/g, '').split(',') }))

const fileOf = (name: string) => (name.endsWith('.test.ts') ? name.trim() : `tests/integration/${name.trim()}.test.ts`)

it('gives every rule a row of its own, in order and without a gap', () => {
  const letters = [...new Set(rules.map(({ id }) => id[0]))]
  const expected = letters.flatMap((letter) =>
    rules.filter(({ id }) => id[0] === letter).map((_, at) => `${letter}${at + 1}`),
  )
  expect(rules.map(({ id }) => id)).toEqual(expected)
  expect(letters).toEqual(['A', 'B', 'C', 'D'])
})

it('says what each letter stands for', () => {
  const text = lines.join('\n')
  for (const letter of ['A', 'B', 'C', 'D']) expect(text).toContain(`**${letter}**`)
})

test.each(rules)('$id is named in each of its tests', ({ id, tests }) => {
  expect(tests.map(fileOf).filter((file) => !existsSync(file))).toEqual([])
  const named = new RegExp(`\\b${id}\\b`)
  expect(tests.map(fileOf).filter((file) => !named.test(readFileSync(file, 'utf8')))).toEqual([])
})
