import { label, questionOf, questionOfWallet } from './buy-button'

const askForChoice = () => undefined
const ask = () => undefined
const props = { drop: { option: null } as never, value: null, askForChoice }

it('a wallet asks for a country that a reloaded page does not know, even when the buyer holds the last unit', () => {
  const unknown = { country: null, cents: 0, mayCostMore: true, ask }
  const held = { ...props, isMine: true, shipping: unknown }
  // The normal checkout keeps the country of the checkout that is open.
  expect(questionOf(held)).toBeNull()
  expect(questionOfWallet(held)).toBe(ask)
  expect(questionOfWallet({ ...held, shipping: { ...unknown, country: 'DE' } })).toBeNull()
  expect(questionOfWallet({ ...held, shipping: null })).toBeNull()
})

it('the button of a canceled start does not say that the drop has expired', () => {
  const drop = { state: 'ended', startedAt: '2026-11-22T12:00:00Z', endTime: '2026-11-21T12:00:00Z' }
  expect(label({ drop } as never, 1)).toBe('Canceled')
  expect(label({ drop: { ...drop, endTime: '2026-11-23T12:00:00Z' } } as never, 1)).toBe('Drop Expired')
})
