import { Badge } from '@/components/ui/badge'
import { orderStatusText, type OrderStatus } from '@/lib/orders/rules'

const tones: Record<OrderStatus, 'good' | 'warn' | 'bad' | 'quiet'> = {
  pending: 'quiet',
  expired: 'quiet',
  paid: 'warn',
  shipped: 'good',
  delivered: 'good',
  done: 'good',
  refunded: 'bad',
  disputed: 'bad',
}

type StatusBadgeProps = { status: OrderStatus; isToShip?: boolean; className?: string }

export function StatusBadge({ status, isToShip = false, className }: StatusBadgeProps) {
  const tone = status === 'paid' && !isToShip ? 'good' : tones[status]
  return (
    <Badge tone={tone} className={className}>
      {isToShip ? 'To ship' : orderStatusText[status]}
    </Badge>
  )
}
