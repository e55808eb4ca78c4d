import { renderToStaticMarkup } from 'react-dom/server'
import type { BuyerOrderView } from '@/lib/orders/view'
import { OrderHeadline } from './order-headline'

const draw = (status: BuyerOrderView['status']) =>
  renderToStaticMarkup(
    <OrderHeadline order={{ status, productType: 'physical', drop: { identifier: 'mug' } } as BuyerOrderView} />,
  )

it.each(['pending', 'expired'] as const)('the page of a %s order leads back to the drop', (status) => {
  expect(draw(status)).toContain('href="/drop/mug"')
})

it('the page of a paid order does not', () => {
  expect(draw('paid')).not.toContain('/drop/mug')
})
