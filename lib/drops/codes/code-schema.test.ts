import { codeTexts } from './code-messages'
import { codeFormSchema, createCodeSchema, toCreateCode } from './code-schema'
import { startTexts } from '../start/start-messages'

const least = { code: 'friends', percent: 20 }
const problem = (body: object) => createCodeSchema.safeParse(body).error?.issues[0]

test('a code needs a name and one kind of discount, and everything else is optional', () => {
  expect(createCodeSchema.parse(least)).toEqual({
    ...{ code: 'FRIENDS', percent: 20, offCents: null, maxUses: null, perBuyer: null, endsAt: null },
  })
})

test.each([
  [{ ...least, code: 'a b' }, 'code'],
  [{ ...least, percent: 91 }, 'percent'],
  [{ ...least, percent: 0 }, 'percent'],
  [{ ...least, percent: 12.5 }, 'percent'],
  [{ ...least, offCents: 100 }, 'percent'],
  [{ code: 'ABC' }, 'percent'],
  [{ code: 'ABC', offCents: 0 }, 'offCents'],
  [{ ...least, maxUses: 10_001 }, 'maxUses'],
  [{ ...least, perBuyer: 11 }, 'perBuyer'],
  [{ ...least, endsAt: 'tomorrow' }, 'endsAt'],
  [{ ...least, endsAt: '9999-12-31T23:59:59-12:00' }, 'endsAt'],
])('%j is refused with an error at the field %s', (body, field) => expect(problem(body)?.path).toEqual([field]))

test('an unknown field is refused', () => expect(problem({ ...least, used: 3 })?.code).toBe('unrecognized_keys'))

test('the typed fields of the form are converted to the body of the call', () => {
  const typed = { code: ' spring ', kind: 'offCents', off: '$3.50', maxUses: '50', perBuyer: '', endsAt: '' } as const
  const schema = codeFormSchema('UTC')
  const form = schema.parse(typed)
  expect(toCreateCode(form, 'UTC')).toEqual({
    ...{ code: 'SPRING', percent: null, offCents: 350, maxUses: 50, perBuyer: null, endsAt: null },
  })
  expect(toCreateCode(schema.parse({ ...typed, kind: 'percent', off: '20 %' }), 'UTC').percent).toBe(20)
  for (const off of ['', '0', '91', '-5', '20.5', 'x']) {
    expect(schema.safeParse({ ...typed, kind: 'percent', off }).error?.issues[0]?.path).toEqual(['off'])
  }
})

describe('the end of a code in the form', () => {
  const typed = {
    code: 'SPRING',
    kind: 'percent',
    off: '20',
    maxUses: '',
    perBuyer: '',
    endsAt: '2026-07-04T20:00',
  } as const

  test("is a time on the seller's clocks, whatever clocks the browser has", () => {
    const endIn = (timeZone: string) => toCreateCode(codeFormSchema(timeZone).parse(typed), timeZone).endsAt
    expect(endIn('Europe/Berlin')).toBe('2026-07-04T18:00:00.000Z')
    expect(endIn('America/New_York')).toBe('2026-07-05T00:00:00.000Z')
  })

  test.each([
    ['2027-03-28T02:30', 'Europe/Berlin', startTexts.skipped],
    ['2027-03-14T02:30', 'America/New_York', startTexts.skipped],
    ['2027-02-30T10:00', 'UTC', codeTexts.endsAt],
    ['soon', 'UTC', codeTexts.endsAt],
  ])('%s in %s is refused', (endsAt, timeZone, message) => {
    const [issue] = codeFormSchema(timeZone).safeParse({ ...typed, endsAt }).error?.issues ?? []
    expect(issue).toMatchObject({ path: ['endsAt'], message })
  })

  test('may be a time that the clocks of other zones skip', () => {
    expect(codeFormSchema('UTC').safeParse({ ...typed, endsAt: '2027-03-28T02:30' }).success).toBe(true)
  })
})
