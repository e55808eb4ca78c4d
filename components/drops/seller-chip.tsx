import { BadgeCheck } from 'lucide-react'
import type { DropView } from '@/lib/drops/view'

/** Shows who sells the drop. */
export function SellerChip({ user }: { user: DropView['user'] }) {
  const name = user.username ?? user.firstName
  return (
    <a
      href={`/profile/${encodeURIComponent(name)}`}
      className="-ms-1 inline-flex min-h-11 items-center gap-2.5 self-start rounded-full pe-3 ps-1 hover:bg-sunken"
    >
      <span
        aria-hidden
        className="grid size-9 place-items-center rounded-full bg-ink font-display font-bold text-paper"
      >
        {name.charAt(0).toUpperCase()}
      </span>
      <span className="font-semibold">@{name}</span>
      {user.isVerified ? <BadgeCheck className="size-4 text-good" aria-label="Verified seller" /> : null}
    </a>
  )
}
