import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import type { AdminOrderView } from '@/lib/admin/view'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { HandPayment, type HandPaymentAction } from './hand-payment'
import { HandRefund, type HandRefundAction } from './hand-refund'

const transferText = { waiting: 'payout pending', sent: 'payout sent', reversed: 'payout reversed' } as const

function badgeTone({ status, paidAt }: AdminOrderView): 'good' | 'destructive' | 'secondary' {
  if (status === 'disputed') return 'destructive'
  return paidAt && status !== 'refunded' ? 'good' : 'secondary'
}

type AdminOrdersProps = {
  orders: AdminOrderView[]
  onPayByHand: HandPaymentAction
  onRefundByHand: HandRefundAction
}

export function AdminOrders({ orders, onPayByHand, onRefundByHand }: AdminOrdersProps) {
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y">
        {orders.map((order) => (
          <li
            key={order.id}
            className="grid gap-1 px-4 py-3 text-sm lg:grid-cols-[1fr_12rem_11rem_18rem] lg:gap-4 lg:py-2"
          >
            <span className="min-w-0">
              <a
                href={`/drop/${order.dropId}`}
                className="inline-flex min-h-11 items-center font-semibold hover:underline lg:min-h-6"
              >
                {order.quantity > 1 ? `${order.quantity} × ` : ''}
                {order.dropTitle}
              </a>
              <span className="block text-muted">
                {referenceOf(order.id)} · by @{order.seller ?? 'deleted'}
              </span>
            </span>
            <span className="flex flex-wrap content-start items-center gap-1.5">
              <Badge variant={badgeTone(order)}>{order.status}</Badge>
              {order.status === 'disputed' ? (
                <a
                  href={`/orders/${order.id}/evidence.txt`}
                  download
                  className="inline-flex min-h-11 items-center font-semibold underline underline-offset-2 lg:min-h-6"
                >
                  Evidence
                </a>
              ) : null}
              {order.isStuck ? <Badge variant="destructive">stuck</Badge> : null}
              {order.isRefundUncovered ? <Badge variant="warn">account closed, refund not covered</Badge> : null}
              {order.failedRefundCents > 0 ? <HandRefund order={order} onSend={onRefundByHand} /> : null}
              {order.transfer ? <Badge variant="secondary">{transferText[order.transfer]}</Badge> : null}
              {order.settledIn ? <Badge variant="warn">waiting: settled in {order.settledIn}</Badge> : null}
              {order.isPaidByHand && !order.settledIn ? <Badge variant="secondary">paid manually</Badge> : null}
              {order.canPayByHand ? <HandPayment order={order} onSend={onPayByHand} /> : null}
              {order.debtCents > 0 ? (
                <a
                  href={`/admin?${new URLSearchParams({ tab: 'users', q: order.seller ?? '', show: order.seller ? 'all' : 'deleted' }).toString()}`}
                  className="inline-flex min-h-11 items-center lg:min-h-6"
                >
                  <Badge variant="warn">seller owes {formatUsd(order.debtCents)}</Badge>
                </a>
              ) : null}
              {order.keptBackCents > 0 ? (
                <Badge variant="secondary">{formatUsd(order.keptBackCents)} kept back</Badge>
              ) : null}
            </span>
            <span className="tabular text-muted">
              <span className="font-semibold text-ink">{formatUsd(order.amountCents)}</span>, fee{' '}
              {formatUsd(order.platformFeeCents)}
              {order.refundedCents > 0 ? (
                <span className="block">refunded {formatUsd(order.refundedCents)}</span>
              ) : null}
            </span>
            <span className="min-w-0 text-muted">
              <span className="block truncate" title={order.buyerEmail ?? undefined}>
                {order.buyerEmail ?? 'no buyer yet'}
              </span>
              <LocalTime iso={order.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
