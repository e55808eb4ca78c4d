import type { SearchHitView } from '@/lib/admin/view'

/** A page of the panel, or an action on one of its pages, with other words that people may search for. */
type PanelPage = SearchHitView & { words: string }

// An entry only leads to its page. Nothing happens before the administrator presses a button there.
const panelPages: PanelPage[] = [
  { label: 'Dashboard', detail: 'Health and money', href: '/admin', words: 'overview home' },
  { label: 'Users', detail: 'All accounts', href: '/admin?tab=users', words: 'sellers accounts' },
  { label: 'Drops', detail: 'All drops', href: '/admin?tab=drops', words: 'listings' },
  { label: 'Orders and payments', detail: 'All orders', href: '/admin/orders', words: 'refunds payouts' },
  { label: 'Review queue', detail: 'Held and reported drops, appeals', href: '/admin/reviews', words: 'moderation' },
  { label: 'Webhook events', detail: 'Events from Stripe', href: '/admin/events', words: 'stripe' },
  { label: 'Audit log', detail: 'Who did what, and when', href: '/admin/audit', words: 'history' },
  { label: 'Settings', detail: 'Kill switch', href: '/admin?tab=settings', words: 'platform' },
  { label: 'Pause platform', detail: 'Opens Settings', href: '/admin?tab=settings', words: 'kill switch disable stop' },
  { label: 'Extend all live drops', detail: 'Opens Settings', href: '/admin?tab=settings', words: 'outage hours' },
  { label: 'Create Drop', detail: 'Sell something yourself', href: '/create-drop', words: 'new' },
  { label: 'Stuck orders', detail: 'Filter of orders', href: '/admin/orders?show=stuck', words: 'problem' },
  { label: 'Disputed orders', detail: 'Filter of orders', href: '/admin/orders?show=disputed', words: 'bank' },
  { label: 'Owed by sellers', detail: 'Filter of orders', href: '/admin/orders?show=owed', words: 'debt money' },
  { label: 'Open events', detail: 'Filter of events', href: '/admin/events?show=open', words: 'failed stripe' },
  { label: 'Suspended users', detail: 'Filter of users', href: '/admin?tab=users&show=suspended', words: 'banned' },
  { label: 'Drops in review', detail: 'Filter of drops', href: '/admin?tab=drops&show=review', words: 'held' },
]

const MAX_PAGES = 8

/** Returns the pages and actions that contain every typed word, or the first ones when nothing is typed. */
export function findPanelPages(typed: string): SearchHitView[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return panelPages
    .filter((page) => {
      const text = `${page.label} ${page.detail} ${page.words}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .slice(0, MAX_PAGES)
    .map(({ label, detail, href }) => ({ label, detail, href }))
}
