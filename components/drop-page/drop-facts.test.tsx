import { renderToStaticMarkup } from 'react-dom/server'
import type { DropView } from '@/lib/drops/view'
import { DropFacts } from './drop-facts'

const drop = {
  productType: 'physical',
  isNumbered: true,
  isOpenEdition: false,
  sold: 8,
  inCheckout: 0,
  maxPerBuyer: null,
  identifier: 'shirt',
  startedAt: '2026-11-27T20:00:00.000Z',
  endTime: '2026-11-28T20:00:00.000Z',
} as unknown as DropView

it.each([
  [{ state: 'live' }, '8 assigned so far.'],
  [{ state: 'ended', inCheckout: 1 }, '8 assigned so far.'],
  [{ state: 'ended' }, '8 assigned.'],
])('in the state %j a numbered drop says %s', (state, text) =>
  expect(renderToStaticMarkup(<DropFacts drop={{ ...drop, ...state } as DropView} />)).toContain(text),
)
