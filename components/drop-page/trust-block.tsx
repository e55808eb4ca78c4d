import { BadgeCheck, CreditCard, Mail, Package, Undo2, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { profilePath, sellerName } from '@/lib/accounts/rules'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import { promiseText } from '@/lib/drops/delivery/ship-messages'
import type { DropView } from '@/lib/drops/view'
import { zonesText } from '@/lib/drops/delivery/zone-messages'
import { formatCount } from '@/lib/kernel/format-count'
import { itemConditionLabels } from '@/lib/kernel/item-condition'

/** The units that a seller sold in all public drops, and the month of the sign-up, such as "Nov 2026". */
export type SellerRecord = { sold: number; since: string }

type TrustBlockProps = {
  drop: Pick<
    DropView,
    'productType' | 'condition' | 'hasKeys' | 'shippingNote' | 'shipsFrom' | 'shipsBy' | 'shippingZones' | 'user'
  >
  seller: SellerRecord
  /** Who sells, as stated by the seller; null when nothing was stated. */
  soldBy: ReactNode
}

const delivery = {
  physical: [Package, 'Shipping is included in the price.'],
  digital: [Zap, 'Your download is ready right after you pay.'],
  service: [Mail, 'After you pay, the seller will email you to arrange the details.'],
} as const

/**
 * Says who sells, how the order arrives, how the payment is made and how refunds work. The facts about the seller and
 * the drop come from the database. The country that a parcel is sent from and the day by which it is sent are shown
 * only if the seller promised them (docs/product.md#promise-to-ship).
 */
export function TrustBlock({ drop, seller, soldBy }: TrustBlockProps) {
  const [Icon, text] = delivery[drop.productType]
  const promise = promiseText(drop)
  return (
    <section aria-label="About this purchase" className="grid rounded-card border bg-surface text-sm">
      <SellerLine user={drop.user} seller={seller} />
      {soldBy}
      <ul className="grid gap-3 border-t p-4">
        <Fact icon={<Icon aria-hidden />}>
          {drop.condition && drop.condition !== 'new' ? (
            <span className="block font-medium">{itemConditionLabels[drop.condition]}, not new.</span>
          ) : null}
          {drop.shippingZones ? zonesText(drop.shippingZones) : drop.hasKeys ? keyTexts.ready : text}
          {promise ? <span className="tabular block font-medium">{promise}</span> : null}
          {drop.productType === 'physical' && drop.shippingNote ? (
            <span dir="auto" className="block whitespace-pre-line text-muted">
              {drop.shippingNote}
            </span>
          ) : null}
        </Fact>
        <Fact icon={<CreditCard aria-hidden />}>Secure card payment through Stripe. No account needed.</Fact>
        <Fact icon={<Undo2 aria-hidden />}>
          Something wrong? Request a refund on your order page.{' '}
          <a href="/terms-of-service#refunds" className="font-medium underline underline-offset-2">
            How refunds work
          </a>
        </Fact>
      </ul>
    </section>
  )
}

function SellerLine({ user, seller }: { user: DropView['user']; seller: SellerRecord }) {
  const className = 'flex min-h-11 items-center gap-3 rounded-t-card p-4 py-3'
  const content = <SellerFacts user={user} seller={seller} />
  // Someone without a username has no public profile.
  if (user.username === null) return <div className={className}>{content}</div>
  return (
    <a href={profilePath(user.username)} className={`${className} hover:bg-sunken`}>
      {content}
    </a>
  )
}

function SellerFacts({ user, seller }: { user: DropView['user']; seller: SellerRecord }) {
  return (
    <>
      {user.profileImageUrl ? (
        // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
        <img
          src={user.profileImageUrl}
          alt=""
          width={40}
          height={40}
          loading="lazy"
          className="size-10 shrink-0 rounded-full bg-sunken object-cover"
        />
      ) : (
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-full bg-ink font-display text-lg font-bold text-paper"
        >
          {(user.username ?? user.firstName).charAt(0).toUpperCase()}
        </span>
      )}
      <span className="min-w-0">
        <span className="flex items-center gap-1.5 text-base font-semibold wrap-anywhere">
          {sellerName(user)}
          {user.isVerified ? <BadgeCheck className="size-4 shrink-0 text-good" aria-label="Verified seller" /> : null}
        </span>{' '}
        <span className="tabular block text-muted">
          {seller.sold > 0 ? `${formatCount(seller.sold)} sold · ` : ''}Selling here since {seller.since}
        </span>
      </span>
    </>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <span className="min-w-0">{children}</span>
    </li>
  )
}
