import { z } from 'zod/mini'
import { maxCharacters, maxItems } from './max-characters'

it('a string that is too long is refused, and later checks see only its beginning', () => {
  const seen: string[] = []
  const isSeen = z.refine<string>((text) => seen.push(text) > 0)
  const schema = z.string().check(...maxCharacters(3, 'Too long.'), isSeen)
  const refused = schema.safeParse('abc'.repeat(1_000))
  expect(refused.error?.issues).toMatchObject([{ code: 'too_big', maximum: 3, message: 'Too long.' }])
  expect(schema.parse('abc')).toBe('abc')
  expect(seen).toEqual(['abcabc', 'abc'])
})

it('characters outside the first plane of Unicode count once, and are not cut', () => {
  const schema = z.string().check(...maxCharacters(3))
  expect(schema.parse('🍋🍋🍋')).toBe('🍋🍋🍋')
  expect(schema.safeParse('🍋🍋🍋🍋').success).toBe(false)
})

it('a list that is too long is refused before its items are read', () => {
  const seen: unknown[] = []
  const item = z.number().check(z.refine((value) => seen.push(value) > 0))
  const schema = z.array(item).check(maxItems(2))
  expect(schema.safeParse([1, 2, 3]).success).toBe(false)
  expect(seen).toEqual([])
  expect(schema.parse([1, 2])).toEqual([1, 2])
})

it('the limit is in the JSON schema that the OpenAPI document is made from', () => {
  expect(z.toJSONSchema(z.string().check(...maxCharacters(3)))).toMatchObject({ type: 'string', maxLength: 3 })
})
