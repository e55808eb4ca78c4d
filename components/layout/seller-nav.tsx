import { House, Package, UserRound, Wallet } from 'lucide-react'
import Link from 'next/link'
import { LinkPending } from './link-pending'

/** The sections of the seller's navigation, each with its first page. */
const places = [
  { place: 'today', label: 'Today', href: '/', icon: House },
  { place: 'orders', label: 'Orders', href: '/orders', icon: Package },
  { place: 'payouts', label: 'Payouts', href: '/payouts', icon: Wallet },
  { place: 'account', label: 'Account', href: '/account', icon: UserRound },
] as const

export type SellerPlace = (typeof places)[number]['place']

type SellerNavProps = {
  /** The section that the page belongs to. Without it, no section is marked. */
  place?: SellerPlace | undefined
  /** True for a page below the first page of the section, such as the page of one order. */
  isInside?: boolean | undefined
}

/**
 * Shows the seller's navigation, as a bar at the bottom of phones and as a part of the header on wider screens. The bar
 * leaves room for the help button (app/globals.css). The navigation also works without JavaScript.
 */
export function SellerNav({ place, isInside = false }: SellerNavProps) {
  return (
    <nav
      aria-label="Your shop"
      data-bottom-bar
      className="seller-nav max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-paper max-md:px-2 md:order-last md:w-full lg:order-none lg:me-auto lg:ms-3 lg:w-auto print:hidden"
    >
      <ul className="grid grid-cols-2 min-[16rem]:grid-cols-4 md:flex md:gap-1 md:max-lg:-ms-3">
        {places.map(({ place: name, label, href, icon: Icon }) => (
          <li key={name}>
            <Link
              href={href}
              prefetch={false}
              aria-current={name === place ? (isInside ? 'true' : 'page') : undefined}
              className="group flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-control px-1 text-xs font-semibold text-muted hover:text-ink aria-[current]:text-ink md:min-h-11 md:flex-row md:gap-2 md:px-3 md:text-sm md:hover:bg-sunken md:aria-[current]:bg-sunken forced-colors:aria-[current]:outline-2 forced-colors:aria-[current]:-outline-offset-2"
            >
              <span className="rounded-full px-3 py-0.5 group-aria-[current]:bg-ink group-aria-[current]:text-paper relative max-[20rem]:px-2 md:bg-transparent! md:p-0 md:text-inherit!">
                <Icon aria-hidden className="size-5" />
                <LinkPending className="absolute -end-1 top-0" />
              </span>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
