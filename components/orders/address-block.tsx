import { cn } from '@/components/ui/class-names'
import type { Address } from '@/lib/orders/view'

/** Shows an address in the layout of a parcel label. */
export function AddressBlock({ address, className }: { address: Address; className?: string }) {
  return (
    <address className={cn('leading-relaxed not-italic', className)}>
      <span className="block font-semibold">{address.name}</span>
      {address.lines.map((line, at) => (
        <span key={at} className="block">
          {line}
        </span>
      ))}
      {address.country ? <span className="block">{address.country}</span> : null}
      {address.phone ? <span className="tabular block">{address.phone}</span> : null}
    </address>
  )
}
