import { stateNews } from './state-news'

const drop = {
  state: 'live',
  sold: 0,
  inCheckout: 0,
  startedAt: '2026-11-21T12:00:00Z',
  endTime: '2026-11-22T12:00:00Z',
  isOpenEdition: false,
}

it.each([
  ['live', 'On sale now.'],
  ['soldOut', 'Sold out.'],
  ['ended', 'This drop has ended.'],
  ['paused', 'Paused.'],
] as const)('an open page of a drop that is now %s announces "%s"', (state, news) => {
  expect(stateNews({ ...drop, state })).toBe(news)
})

it('says of an open edition that all units are ordered, as the screen does', () => {
  expect(stateNews({ ...drop, state: 'soldOut', isOpenEdition: true })).toBe('All ordered.')
})

it('does not say that a drop has ended when its start was canceled', () => {
  expect(stateNews({ ...drop, state: 'ended', endTime: drop.startedAt })).toBe('Start canceled.')
})
