import { renderToStaticMarkup } from 'react-dom/server'
import type { BuyerOrderView } from '@/lib/orders/view'
import { OrderHeadline } from './order-headline'

function draw(
  status: BuyerOrderView['status'],
  isOpen = false,
  owedRefund: BuyerOrderView['owedRefund'] = null,
): string {
  const request = { isOpen, declined: null }
  const order = { status, request, owedRefund, productType: 'physical', drop: { identifier: 'mug' } } as BuyerOrderView
  return renderToStaticMarkup(<OrderHeadline order={order} />)
}

it.each(['pending', 'expired'] as const)('the page of a %s order leads back to the drop', (status) => {
  expect(draw(status)).toContain('href="/drop/mug"')
})

it('the page of a paid order does not', () => {
  expect(draw('paid')).not.toContain('/drop/mug')
})

it('the page of an order with an open refund request says that the seller has it', () => {
  expect(draw('paid', true)).toContain('The seller has your refund request.')
  expect(draw('paid')).not.toContain('refund request')
})

it('says how far the refund of an order is whose seller closed the account', () => {
  expect(draw('paid', false, 'waiting')).toContain('getting your money back from the seller')
  expect(draw('paid', false, 'notCovered')).toContain('Please write to')
  expect(draw('paid', false, 'sent')).toContain('5 to 10 days')
  expect(draw('paid', false, 'byHand')).toContain('We paid you back')
})
