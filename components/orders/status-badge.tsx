import { Badge } from '@/components/ui/badge'
import { orderStatusText } from '@/lib/orders/messages'
import type { OrderStatus } from '@/lib/orders/rules'

const tones: Record<OrderStatus, 'good' | 'warn' | 'destructive' | 'secondary'> = {
  pending: 'secondary',
  expired: 'secondary',
  paid: 'warn',
  shipped: 'good',
  delivered: 'good',
  done: 'good',
  refunded: 'destructive',
  disputed: 'destructive',
}

type StatusBadgeProps = { status: OrderStatus; isToShip?: boolean; className?: string }

export function StatusBadge({ status, isToShip = false, className }: StatusBadgeProps) {
  const tone = status === 'paid' && !isToShip ? 'good' : tones[status]
  return (
    <Badge variant={tone} className={className}>
      {isToShip ? 'To ship' : orderStatusText[status]}
    </Badge>
  )
}
