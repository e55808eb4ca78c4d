import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Receipt } from '@/components/checkout/receipt'
import { PublicHeader } from '@/components/layout/public-header'
import { pageContext } from '@/lib/http/page'
import { findBuyerOrder } from '@/lib/orders/queries'
import { orderTokenSchema } from '@/lib/orders/field-schema'

export const metadata: Metadata = { title: 'Receipt', robots: { index: false }, referrer: 'no-referrer' }

type Props = { params: Promise<{ token: string }> }

export default async function ReceiptPage({ params }: Props) {
  const { token } = await params
  if (!orderTokenSchema.safeParse(token).success) notFound()
  const { db } = await pageContext()
  const order = await findBuyerOrder(db, token)
  if (!order?.paidAt) notFound()
  return (
    <>
      <div className="print:hidden">
        <PublicHeader />
      </div>
      <Receipt order={order} paidAt={order.paidAt} />
    </>
  )
}
