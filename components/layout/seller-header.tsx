import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import type { Plan } from '@/lib/kernel/plan'
import { planLabel } from '@/lib/plans/rules'
import { brand } from '@/lib/kernel/brand'
import { BrandMark } from './brand-mark'
import { LogoutButton } from './logout-button'

type SellerHeaderProps = { username: string | null; plan: Plan; children?: ReactNode }

/** Shows the header of the seller's pages. `children` are further buttons, which stand before Logout. */
export function SellerHeader({ username, plan, children }: SellerHeaderProps) {
  return (
    <header className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-3 px-5 py-2">
      <Link href="/" className="-ms-2 inline-flex min-h-11 items-center px-2" aria-label={`${brand.name} home`}>
        <BrandMark />
      </Link>
      <div className="-me-2 flex flex-wrap items-center gap-1">
        <Link
          href="/account"
          className="hidden min-h-11 items-center rounded-control px-2 text-sm font-semibold hover:bg-sunken md:inline-flex"
        >
          @{username}
        </Link>
        <Badge variant={plan === 'pro' ? 'default' : 'secondary'}>{planLabel[plan]}</Badge>
        {children}
        <LogoutButton />
      </div>
    </header>
  )
}
