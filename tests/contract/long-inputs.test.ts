// Feeds long strings to every field of every schema, and to what reads long texts. A pattern whose work
// grows with the square of the length would need minutes for one of them, and nobody could buy in the meantime. This
// test would then not end in time.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { z } from 'zod/mini'
import { parseCsv } from '@/lib/kernel/csv'
import { readings } from '@/lib/moderation/rules'

const LENGTH = 150_000
const UNITS = ['.', ' ', ',', 'a.', '!', '0']
const SHAPES = [(long: string) => `a@${long}@`, (long: string) => `https://${long} x`, (long: string) => `DE x${long}x`]
const TIME_LIMIT_MS = 20_000

type Schema = z.ZodMiniType & { _zod: { def: { shape?: Record<string, z.ZodMiniType> } } }
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value

function schemaFiles(): string[] {
  const files = execFileSync('git', ['ls-files', 'lib/*schema.ts'], { encoding: 'utf8' }).trim().split('\n')
  return files.filter((file) => !file.startsWith('lib/sandbox/'))
}

it('no schema takes minutes for a long string', async () => {
  const inputs = UNITS.flatMap((unit) => SHAPES.map((shape) => shape(unit.repeat(LENGTH / unit.length))))
  let fields = 0
  for (const file of schemaFiles()) {
    const exported = Object.entries((await import(path.resolve(file))) as Record<string, unknown>)
    for (const [name, schema] of exported) {
      if (!isSchema(schema)) continue
      for (const [key, field] of Object.entries(schema._zod.def.shape ?? { '': schema })) {
        fields += 1
        const startedAt = performance.now()
        for (const input of inputs) {
          field.safeParse(input)
          if (performance.now() - startedAt > TIME_LIMIT_MS) throw new Error(`${file}: ${name} ${key} is slow`)
        }
      }
    }
  }
  expect(fields).toBeGreaterThan(150)
})

it('a tracking file with one long cell does not take minutes', () => {
  const startedAt = performance.now()
  expect(parseCsv(`x${'"'.repeat(2_000_000)}`)).toMatchObject([{ line: 1 }])
  expect(performance.now() - startedAt).toBeLessThan(TIME_LIMIT_MS)
})

it('a description that consists of signs does not keep the word scanner busy', () => {
  const startedAt = performance.now()
  expect(readings('!'.repeat(LENGTH))).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(TIME_LIMIT_MS)
})
