import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// A cast through `unknown` turns type checking off for a value, so there may be only a few. Each of those that are left
// bridges two types of other packages, or stands for a large object of which a test needs a part.
const FOLDERS = ['app', 'bench', 'components', 'lib', 'prisma', 'scripts', 'tests']
const MOST = 8
const CAST = /\bas unknown as\b/g

test(`at most ${MOST} values are cast through unknown`, () => {
  const casts = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:[cm]?[jt]sx?)$/.test(name))
      .map((name) => path.join(folder, name))
      .filter((file) => file !== path.join('tests', 'contract', 'casts.test.ts'))
      .flatMap((file) => (readFileSync(file, 'utf8').match(CAST) ?? []).map(() => file)),
  )
  expect(casts.length).toBeLessThanOrEqual(MOST)
  // The search finds a cast where there is one.
  expect(casts).toContain(path.join('lib', 'sandbox', 'stripe', 'billing', 'catalog.ts'))
})
