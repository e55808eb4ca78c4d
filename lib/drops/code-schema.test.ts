import { codeFormSchema, createCodeSchema, toCreateCode } from './code-schema'

const least = { code: 'friends', percent: 20 }
const problem = (body: object) => createCodeSchema.safeParse(body).error?.issues[0]

test('a code needs a name and one kind of discount; everything else may be left out', () => {
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
])('%j is refused at %s', (body, field) => expect(problem(body)?.path).toEqual([field]))

test('an unknown field is refused', () => expect(problem({ ...least, used: 3 })?.code).toBe('unrecognized_keys'))

test('the form turns what is typed into what is sent', () => {
  const typed = { code: ' spring ', kind: 'offCents', off: '$3.50', maxUses: '50', perBuyer: '', endsAt: '' } as const
  const form = codeFormSchema.parse(typed)
  expect(toCreateCode(form)).toEqual({
    ...{ code: 'SPRING', percent: null, offCents: 350, maxUses: 50, perBuyer: null, endsAt: null },
  })
  expect(toCreateCode(codeFormSchema.parse({ ...typed, kind: 'percent', off: '20 %' })).percent).toBe(20)
  for (const off of ['', '0', '91', '-5', '20.5', 'x']) {
    expect(codeFormSchema.safeParse({ ...typed, kind: 'percent', off }).error?.issues[0]?.path).toEqual(['off'])
  }
})
