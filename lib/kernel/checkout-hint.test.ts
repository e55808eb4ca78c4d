import { readCheckoutHint, writeCheckoutHint } from './checkout-hint'

it.each([new Date('2026-11-28T12:00:00Z'), null])('reads what it has written: units held until %s', (endsAt) => {
  expect(readCheckoutHint(writeCheckoutHint({ dropId: 12, endsAt }))).toEqual({ dropId: 12, endsAt })
})

it.each([null, undefined, '', 'x', '12.', '12.x', '.5', '12.1.2', '-1', '1'.repeat(40)])(
  'reads nothing in %s',
  (text) => {
    expect(readCheckoutHint(text)).toBeNull()
  },
)
