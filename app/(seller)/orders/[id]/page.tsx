import type { Metadata } from 'next'
import { SellerCelebrations } from '@/components/dashboard/seller-celebrations'
import { OrderDetail } from '@/components/orders/order-detail'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { orderOfSeller } from '@/lib/http/order-of-seller'
import {
  answerDisputeAction,
  declineRefundAction,
  markDeliveredAction,
  markShippedAction,
  proposeShipDayAction,
  refundOrderAction,
  voidKeyAction,
} from '../actions'

export const metadata: Metadata = { title: 'Order' }

type Props = { params: Promise<{ id: string }> }

export default async function SellerOrderPage({ params }: Props) {
  const { order, user, now } = await orderOfSeller((await params).id)
  const actions = {
    onShipped: markShippedAction,
    onDelivered: markDeliveredAction,
    onRefund: refundOrderAction,
    onDecline: declineRefundAction,
    onAnswer: answerDisputeAction,
    onVoid: voidKeyAction,
    onPropose: proposeShipDayAction,
  }
  return (
    <>
      <SellerHeader plan={user.plan} place="orders" isInside />
      <SellerCelebrations className="max-w-5xl" />
      <main className="mx-auto grid max-w-5xl gap-5 px-5 pb-24">
        <PageTitle back="/orders">{`Order ${order.reference}`}</PageTitle>
        <OrderDetail order={order} timezone={user.timezone} now={now} actions={actions} />
      </main>
    </>
  )
}
