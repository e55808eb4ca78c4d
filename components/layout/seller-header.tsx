import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import type { Plan } from '@/lib/kernel/plan'
import { planLabel } from '@/lib/plans/rules'
import { brand } from '@/lib/kernel/brand'
import { BrandMark } from './brand-mark'
import { HeldCheckout } from './held-checkout'
import { LogoutButton } from './logout-button'
import { SellerNav, type SellerPlace } from './seller-nav'

type SellerHeaderProps = {
  plan: Plan
  /**
   * The section of the navigation that the page belongs to. `isInside` is true for a page below the first page of the
   * section.
   */
  place?: SellerPlace
  isInside?: boolean
  children?: ReactNode
}

/**
 * Shows the header of the seller's pages with the navigation. `children` are further buttons, before Logout. A seller
 * who is buying also sees how long the units are reserved.
 */
export function SellerHeader({ plan, place, isInside, children }: SellerHeaderProps) {
  return (
    <header className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-3 px-5 py-2">
      <Link href="/" className="-ms-2 inline-flex min-h-11 items-center px-2" aria-label={`${brand.name} home`}>
        <BrandMark />
      </Link>
      <SellerNav place={place} isInside={isInside} />
      <div className="-me-2 flex flex-wrap items-center gap-1">
        <HeldCheckout>{null}</HeldCheckout>
        <Badge variant={plan === 'pro' ? 'default' : 'secondary'}>{planLabel[plan]}</Badge>
        {children}
        <LogoutButton />
      </div>
    </header>
  )
}
