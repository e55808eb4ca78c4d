import { HomeLink } from '@/components/layout/home-link'
import { brand } from '@/lib/kernel/brand'
import { HeldCheckout } from './held-checkout'
import { BrandMark } from './brand-mark'

type PublicHeaderProps = {
  action?: { label: string; href: string }
  /** The drop that this page is about, whose reservation the page itself shows. */
  dropId?: number
}

/**
 * Shows the header of public pages. Its links are plain `<a>` elements, because Next's `<Link>` would prefetch further
 * pages for each of the many visitors of a public page. A buyer whose units are reserved sees the time that is left
 * instead of the action.
 */
export function PublicHeader({ action, dropId }: PublicHeaderProps) {
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between px-5 py-2 md:px-8">
      <HomeLink className="-ms-2 inline-flex min-h-11 items-center px-2" aria-label={`${brand.name} home`}>
        <BrandMark />
      </HomeLink>
      <HeldCheckout exceptDropId={dropId}>
        {action ? (
          <a
            href={action.href}
            className="-me-2 inline-flex min-h-11 items-center rounded-control px-3 text-sm font-semibold hover:bg-sunken"
          >
            {action.label}
          </a>
        ) : null}
      </HeldCheckout>
    </header>
  )
}
