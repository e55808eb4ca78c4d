import { renderToStaticMarkup } from 'react-dom/server'
import type { PayoutLineView } from '@/lib/payouts/view'
import { PayoutLine } from './payout-line'

const now = new Date('2026-11-29T12:00:00Z')
const line = {
  ...{
    title: 'Mug',
    reference: 'ABCD1234',
    paidAt: '2026-11-21T12:00:00Z',
    dueAt: '2026-11-28T12:00:00Z',
    state: 'waiting',
    handPayments: [],
  },
  ...{ amountCents: 2400, platformFeeCents: 120, cardFeeCents: 100, payoutCents: 2180, taxCents: 0, dispute: null },
  ...{
    deductedCents: 0,
    feeOwedCents: 0,
    withheldCents: 0,
    recoveredCents: 0,
    debtCents: 0,
    dueAgainCents: 0,
    againCents: 0,
  },
} as Partial<PayoutLineView>
const draw = (changes: Partial<PayoutLineView>, state = 'ready') =>
  renderToStaticMarkup(
    <PayoutLine
      line={{ ...line, ...changes } as PayoutLineView}
      account={{ state, heldUntil: null } as never}
      timezone="UTC"
      now={now}
    />,
  )

it('a row names its order and the day, and leaves what every row has in common to the card above', () => {
  expect(draw({})).toContain('ABCD1234 · Nov 21, 2026')
  expect(draw({}, 'notStarted')).not.toMatch(/Connect payouts|soon/)
})

it('a payout that a dispute holds back is not announced, and a lost dispute is no refund', () => {
  expect(draw({})).toContain('We&#x27;ll send this payout soon')
  const open = draw({ dispute: 'open' })
  expect(open).toContain('On hold until the bank decides')
  expect(open).not.toContain('soon')
  const taken = draw({ dispute: 'open', state: 'reversed', sentAt: '2026-11-28T12:00:00Z', deductedCents: 2180 })
  expect(taken).toContain('Deducted until the bank decides.')
  const lost = draw({ dispute: 'lost', state: 'reversed', deductedCents: 2180 })
  expect(lost).toContain('Deducted for the lost dispute')
  expect(lost).toContain('Deducted for refunds and disputes')
  expect(lost).not.toContain('Refunded to the buyer')
})
