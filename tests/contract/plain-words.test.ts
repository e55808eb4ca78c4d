// Checks that comments and documents do not use the words that docs/glossary.md replaces. Texts that users read have
// their own rules (docs/voice.md), and patterns of the help chat contain what buyers type, so strings are not checked.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Each word that we do not use, and a sentence with it. */
const RULES: [word: string, pattern: RegExp, planted: string][] = [
  ['told, tells', /\b(?:told|tells)\b/, 'The buyer is told why.'],
  ['whoever', /\bwhoever\b/i, 'Whoever reads the link can buy.'],
  ['somebody, everybody', /\b(?:some|any|every)body\b/i, 'Everybody sees the same page.'],
  ['squeeze', /\bsqueez/i, 'Pictures are squeezed before they are sent.'],
  ['rested', /\brested\b/i, 'The input has rested for a second.'],
  ['e-mail', /\be-mails?\b/i, 'The e-mail is sent later.'],
  ['chargeback', /\bchargebacks?\b/i, 'A chargeback is answered here.'],
  ['cart, basket', /\b(?:cart|basket)s?\b/i, 'The cart is empty.'],
  ['lapse', /\blaps(?:e|es|ed|ing)\b/i, 'A lapsed hold is released.'],
]

/** The glossary and the voice list the words themselves. Applied migrations cannot be changed. */
const EXEMPT = /^(?:docs\/(?:glossary|voice|adr\/0000)|prisma\/migrations\/|tests\/contract\/plain-words)/

const commentsOf = (text: string) =>
  [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?<![:'"`\w])\/\/ .*$/gm)].map(([comment]) => comment).join('\n')

const texts = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx', '*.mjs', '*.prisma'],
  {
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((file) => file && !EXEMPT.test(file))
  .flatMap((file) => {
    try {
      const text = readFileSync(file, 'utf8')
      return [{ file, text: file.endsWith('.md') ? text : commentsOf(text) }]
    } catch {
      // The file was deleted and the deletion is not committed yet.
      return []
    }
  })

it.each(RULES)('no comment and no document uses "%s"', (_word, pattern, planted) => {
  expect(commentsOf(`const a = 'x' // ${planted}\n`)).toMatch(pattern)
  expect(commentsOf(`/**\n * ${planted}\n */\n`)).toMatch(pattern)
  const found = texts.filter(({ text }) => pattern.test(text))
  expect(found.map(({ file, text }) => `${file}: ${pattern.exec(text)?.[0]}`)).toEqual([])
})

it('reads the comments and documents of the whole repository', () => {
  expect(texts.length).toBeGreaterThan(1_500)
  expect(commentsOf("const url = 'https://lapsed.example'")).toBe('')
})
