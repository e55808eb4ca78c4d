import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { OrderPage } from '@/components/checkout/order-page'
import { PublicHeader } from '@/components/layout/public-header'
import { pageContext } from '@/lib/http/page'
import { formProblem } from '@/lib/http/plain-forms/form-problem'
import { findBuyerOrder } from '@/lib/orders/queries'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// The URL gives access to the order, so it must be neither indexed nor sent to other sites as a referrer. With
// `no-referrer` the page's own forms would send the origin "null", and the server would refuse them.
export const metadata: Metadata = { title: 'Your order', robots: { index: false }, referrer: 'same-origin' }

type Props = {
  params: Promise<{ token: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function BuyerOrderPage({ params, searchParams }: Props) {
  const { token } = await params
  if (!orderTokenSchema.safeParse(token).success) notFound()
  const { db, clock, sellerLimit } = await pageContext()
  const order = await findBuyerOrder(db, token, sellerLimit)
  if (!order) notFound()
  const { sent, problem } = await searchParams
  return (
    <>
      <PublicHeader />
      <OrderPage
        order={order}
        now={clock.now()}
        sent={String(sent ?? '')}
        problem={formProblem(String(problem ?? ''))}
      />
    </>
  )
}
