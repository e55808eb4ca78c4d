import { nextLateStep } from './next-late-step'

const at = (text: string) => new Date(text)
const shipsBy = at('2026-11-30T00:00:00Z')

describe('the next step for an order that its late refund has closed', () => {
  const order = { amountCents: 4_800, platformFeeCents: 240, status: 'paid', lateRefundAt: shipsBy }
  const seller = { deletedAt: null }
  const refund = (requestedBy: string, amountCents: number, state: string) => ({ requestedBy, amountCents, state })
  const late = (state: string) => refund('late', 1_800, state)
  const own = (state: string) => refund('seller:1', 3_000, state)

  it.each([
    ['pending', 'succeeded', null],
    ['pending', 'failed', null],
    ['succeeded', 'pending', null],
    ['succeeded', 'succeeded', null],
    ['succeeded', 'failed', 'refund'],
    ['failed', 'pending', null],
    ['failed', 'succeeded', 'reopen'],
    ['failed', 'failed', 'reopen'],
  ])('its late refund is %s and the other is %s: %s', (ofLate, ofOther, step) =>
    expect(nextLateStep({ ...order, seller }, [late(ofLate), own(ofOther)])).toBe(step),
  )

  it('is no refund while the bank decides, after the account was closed, or if the order is open for shipping', () => {
    const refunds = [late('succeeded'), own('failed')]
    expect(nextLateStep({ ...order, seller, status: 'disputed' }, refunds)).toBeNull()
    expect(nextLateStep({ ...order, seller: { deletedAt: shipsBy } }, refunds)).toBe('reopen')
    expect(nextLateStep({ ...order, seller }, [...refunds, refund('closure', 3_000, 'failed')])).toBe('reopen')
    expect(nextLateStep({ ...order, seller, lateRefundAt: null }, refunds)).toBeNull()
  })
})
