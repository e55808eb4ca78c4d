import { waitingFor } from '@/lib/waitlist/rules'
import { editionNote } from './edition-messages'
import { capIssues, withOpenDefaults } from './edition-schema'
import { changeTexts, historyParts, soldText } from '../history/history-messages'
import { closedForEverText, openNotice, openTexts, orderedSoFarText, roundedOrderedText } from './open-messages'
import { stampOf } from '../rules'
import { createDropFormSchema, createDropSchema, createDropTexts, editDropSchema, emptyCreateDropForm } from '../schema'

it('says how many are ordered, and never how many are left', () => {
  expect(orderedSoFarText({ sold: 42, inCheckout: 0 })).toBe('42 ordered so far')
  expect(orderedSoFarText({ sold: 1_042, inCheckout: 2 })).toBe('1,042 ordered so far, 2 in checkout')
  expect(closedForEverText({ sold: 62, inCheckout: 0 })).toBe('Closed forever: 62 were ordered.')
  expect(closedForEverText({ sold: 1, inCheckout: 0 })).toBe('Closed forever: 1 was ordered.')
  expect(closedForEverText({ sold: 0, inCheckout: 0 })).toBe('Closed forever: none were ordered.')
  expect(closedForEverText({ sold: 0, inCheckout: 2 })).toBe('Closed forever.')
})

it.each([
  [0, '0 ordered so far'],
  [9, '9 ordered so far'],
  [10, '10+ ordered so far'],
  [49, '40+ ordered so far'],
  [1_999, '1,000+ ordered so far'],
])('%i ordered units are shown as "%s"', (sold, text) => expect(roundedOrderedText(sold)).toBe(text))

const drop = {
  state: 'soldOut',
  ...{ isOpenEdition: true, isNumbered: true, sold: 1_000, inCheckout: 0, quantity: 1_000 },
  productType: 'physical',
  user: { username: 'juno', firstName: 'Juno', plan: 'pro', isVerified: true, profileImageUrl: null },
} as const

it('the page says that the cap is reached, and that an ended edition is closed forever', () => {
  expect(openNotice(drop)).toEqual({
    title: 'Closed: all 1,000 that @juno can make have been ordered',
    text: 'This open edition never comes back.',
  })
  expect(openNotice({ ...drop, isNumbered: false })?.text).toContain('can be ordered again')
  expect(openNotice({ ...drop, quantity: 1, sold: 1 })?.title).toBe('The only unit that @juno can make is ordered')
  expect(openNotice({ ...drop, state: 'ended', sold: 62, inCheckout: 1 })).toEqual({
    title: 'Closed forever: 62 were ordered.',
    text: '1 unit is still in checkout and can be paid for. This open edition never comes back.',
  })
  expect(openNotice({ ...drop, state: 'live' })).toBeNull()
  expect(openNotice({ ...drop, isOpenEdition: false })).toBeNull()
  expect(stampOf({ ...drop, startedAt: '2026-11-21T12:00:00Z', endTime: '2026-11-22T12:00:00Z' })).toEqual({
    title: 'Closed',
    text: '1,000 ordered',
  })
})

it('offers no waitlist for a unit that can never become free, or for another run', () => {
  const offer = { ...drop, available: 0 }
  expect(waitingFor(offer)).toBeNull()
  expect(waitingFor({ ...offer, isNumbered: false })).toBe('unit')
  expect(waitingFor({ ...offer, state: 'live' })).toBe('unit')
  expect(waitingFor({ ...offer, state: 'live', available: 3 })).toBeNull()
  expect(waitingFor({ ...offer, state: 'ended' })).toBeNull()
  expect(waitingFor({ ...offer, state: 'upcoming' })).toBe('start')
  expect(waitingFor({ ...offer, state: 'ended', isOpenEdition: false })).toBe('relaunch')
})

it('the history calls the units a cap, and says that the drop runs only once', () => {
  const times = { startedAt: '2026-11-20T18:00:00.000Z', endTime: '2026-11-21T18:00:00.000Z' }
  const run = { ...times, run: 1, quantity: 1_000, sold: 62, refunded: 2, soldOutAt: null }
  expect(soldText(run, true)).toBe('62 ordered, 2 refunded')
  expect(soldText({ ...run, quantity: 62, refunded: 0, soldOutAt: '2026-11-20T21:00:00.000Z' }, true)).toBe(
    'all 62 ordered in 3 h',
  )
  const lowered = { reason: 'units', by: 'seller', startMs: 0, endMs: 0, units: -900 } as const
  const moves = { at: times.startedAt, startMoves: 0, endMoves: 0, unitMoves: 1 }
  expect(changeTexts({ ...lowered, ...moves }, times, { isOpenEdition: true })).toEqual(['cap lowered by 900'])
  const history = { isRecorded: true, sold: 62, previous: null, returnsAt: null, isReturnSure: false, changes: [] }
  const parts = historyParts({ run: 1, history, isOpenEdition: true, ...times })
  expect(parts.map(({ text }) => text)).toEqual(['Open edition, runs only once', 'times and cap unchanged'])
})

it('until the total is known, the note beside a number says that it is known at the end', () => {
  const edition = { run: 1, numbers: [17], retired: [], total: null }
  expect(editionNote({ ...edition, isOpen: true })).toBe('Numbered in order. The total is known at the end.')
  expect(editionNote({ ...edition, isOpen: true, total: 62 })).toBeNull()
  expect(editionNote(edition)).toBeNull()
})

const call = { title: 'Print', description: 'A print.', price: '48' }
const problems = (fields: object) =>
  createDropSchema(['image0'])
    .safeParse({ ...call, ...fields })
    .error?.issues.map(({ path, message }) => [path[0], message])

it('an open edition has a cap of 1,000 and numbers unless the call says otherwise', () => {
  const parse = (fields: object) => createDropSchema(['image0']).parse({ ...call, ...fields })
  expect(parse({})).toMatchObject({ isOpenEdition: false, isNumbered: false, quantity: 1 })
  expect(parse({ isOpenEdition: 'true' })).toMatchObject({ isOpenEdition: true, isNumbered: true, quantity: 1_000 })
  expect(parse({ isOpenEdition: 'true', isNumbered: 'false', quantity: '1000000' })).toMatchObject({
    ...{ isOpenEdition: true, isNumbered: false, quantity: 1_000_000 },
  })
  expect(withOpenDefaults({ isOpenEdition: 'true', productType: 'service' })).not.toHaveProperty('isNumbered')
})

it.each(['0', '-5', '1000001', '1.5', '', 'many'])('a cap of "%s" is refused with its own text', (quantity) => {
  expect(capIssues({ isOpenEdition: 'true', quantity })).toMatchObject([{ message: openTexts.capInvalid }])
  expect(problems({ isOpenEdition: 'true', quantity })).toEqual([['quantity', openTexts.capInvalid]])
  const form = { ...emptyCreateDropForm, ...call, idempotencyKey: 'key', isOpenEdition: true, quantity }
  const images = [{ id: 'one', file: new File(['x'], 'one.png'), url: 'blob:one' }]
  expect(createDropFormSchema.safeParse({ ...form, images }).error?.issues).toMatchObject([
    { path: ['quantity'], message: openTexts.capInvalid },
  ])
})

it('keys, a value other than true or false, and a later change are each refused with their own text', () => {
  const open = { isOpenEdition: 'true' }
  expect(problems({ ...open, productType: 'digital', keys: 'AAAA-1111' })).toEqual([['keys', openTexts.noKeys]])
  expect(problems({ isOpenEdition: 'yes' })).toEqual([['isOpenEdition', openTexts.invalid]])
  for (const isOpenEdition of [true, false, 'true']) {
    expect(editDropSchema.safeParse({ isOpenEdition }).error?.issues).toMatchObject([
      { path: ['isOpenEdition'], message: openTexts.staysAsItIs },
    ])
  }
})

it('the form sends the cap as the quantity, choices if there are any, and whether the units are numbered', () => {
  const form = { ...emptyCreateDropForm, ...call, idempotencyKey: 'key', isOpenEdition: true, quantity: '300' }
  const sent = createDropTexts({ ...form, options: 'S, M', isNumbered: true })
  expect(sent).toMatchObject({ isOpenEdition: 'true', quantity: '300', isNumbered: 'true' })
  expect(sent).toMatchObject({ optionName: 'Size', options: 'S, M' })
  expect(createDropTexts(form)).not.toHaveProperty('options')
  expect(createDropTexts(form)).toMatchObject({ isNumbered: 'false' })
  expect(createDropTexts({ ...form, isOpenEdition: false })).not.toHaveProperty('isOpenEdition')
})
