'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus, Share2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { shareLink } from '@/components/drops/share-link'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/class-names'
import { profilePath } from '@/lib/accounts/rules'
import { callApi, goToLogin, isSignedOut } from '@/lib/client/call-api'
import { isSheetOpen } from '@/lib/client/use-back-closes'
import { learnServerTime } from '@/lib/client/use-server-clock'
import { isAhead } from '@/lib/drops/rules'
import type { FollowerCountView } from '@/lib/followers/view'
import type { SellerDropView } from '@/lib/drops/view'
import { brand } from '@/lib/kernel/brand'
import type { Plan } from '@/lib/kernel/plan'
import type { SellerTaskView } from '@/lib/orders/task-view'
import type { MoneyLineView } from '@/lib/payouts/view'
import type { TraderNoticeView } from '@/lib/traders/view'
import { ActiveDropCard } from './active-drop-card'
import { CelebrationCard } from './celebration-card'
import { EditDropDialog } from './edit-drop-dialog'
import { FollowersCard } from './followers-card'
import { PastDropRow } from './past-drop-row'
import { sellerDropsKey } from './seller-drops-key'
import { MoneyLine } from './money-line'
import type { QrPath } from './share-kit'
import { ToDo } from './to-do'
import { toDoItems } from './to-do-items'
import { UpgradeBanner } from './upgrade-banner'
import { useDropPushes } from './use-drop-pushes'

/** The list of drops is polled every 10 s (docs/product.md#dashboard). */
const POLL_MS = 10_000
/** The number of characters of a name, with its @, that fit beside "Hi" on a phone in the large font size. */
const LONG_NAME = 12

type DashboardProps = {
  /** The name of the public profile, or null while the seller has none. */
  username: string | null
  firstName: string
  plan: Plan
  /** Drops of a suspended seller are paused. */
  isSuspended: boolean
  /** The time zone of the seller's settings. Start times are typed in this zone. */
  timezone: string
  hasAnalytics: boolean
  initialDrops: SellerDropView[]
  activeLimit: number | null
  tasks: SellerTaskView[]
  money: MoneyLineView
  notice: TraderNoticeView
  followers: FollowerCountView
  /**
   * The QR codes of the drops' links, by the drop's id. Only drops that were scheduled, live or sold out at
   * `renderedAt` have one.
   */
  qrCodes: Record<number, QrPath>
  /** When the server rendered the page, as an ISO date. */
  renderedAt: string
}

/** The classes of the grid in which this many cards are shown. */
const gridOf = (cards: number) =>
  cn(
    'grid items-start gap-4',
    cards > 1 && 'md:grid-cols-2',
    // With three cards, the second one spans both rows, so that opened statistics leave no gap.
    cards === 3 && 'md:grid-rows-[auto_1fr] md:[&>:nth-child(2)]:row-span-2',
  )

export function Dashboard({ username, firstName, plan, initialDrops, activeLimit, ...props }: DashboardProps) {
  const { isSuspended, hasAnalytics, tasks, money, notice, followers, qrCodes, renderedAt, timezone } = props
  const drops = useSellerDrops(initialDrops)
  useDropPushes(drops)
  useFreshToDo(drops)
  // The state of the sheet is not in the card, because the sheet must stay open when the drop ends and its card is
  // gone.
  const [edited, setEdited] = useState<SellerDropView | null>(null)
  const active = drops.filter((drop) => drop.state !== 'ended')
  const past = drops.filter((drop) => drop.state === 'ended')
  const nowMs = Math.max(Date.parse(renderedAt), ...drops.slice(0, 1).map(({ serverTime }) => Date.parse(serverTime)))
  const hasScheduled = active.some(isAhead)
  const isFull = activeLimit !== null && active.length >= activeLimit
  const shown = { hasAnalytics, timezone }
  const greeted = username ? `@${username}` : firstName

  return (
    <main className="mx-auto grid max-w-5xl gap-6 px-5 pt-3 pb-24 md:gap-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex min-w-0 items-center gap-2">
          <h1
            className={cn(
              'min-w-0 font-extrabold wrap-anywhere',
              greeted.length > LONG_NAME ? 'text-2xl md:text-4xl' : 'text-4xl',
            )}
          >
            Hi {greeted}
          </h1>
          {plan === 'pro' && username && active.length > 0 ? <ShareProfile username={username} /> : null}
        </div>
        {isFull ? (
          <p className="text-sm text-muted">
            {activeLimit === 1
              ? 'You can run one drop at a time on your plan.'
              : `You're using all ${activeLimit} drops of your plan.`}
          </p>
        ) : (
          <Button asChild variant="default">
            <Link href="/create-drop">
              <Plus aria-hidden />
              Create a drop
            </Link>
          </Button>
        )}
      </div>
      <div>
        <CelebrationCard drops={drops} className="not-empty:mb-6" />
        <MoneyLine money={money} />
      </div>
      <ToDo items={toDoItems({ tasks, money, notice, drops: active, nowMs })} />
      <section aria-labelledby="active-heading" className="grid gap-4">
        <h2 id="active-heading" className="text-2xl font-bold">
          {isSuspended ? 'Paused' : hasScheduled ? 'Live and scheduled' : 'Live now'}
        </h2>
        {active.length === 0 ? <NoDrops /> : null}
        <div className={gridOf(active.length)}>
          {active.map((drop) => (
            <ActiveDropCard key={drop.id} drop={drop} qr={qrCodes[drop.id]} {...shown} onEdit={() => setEdited(drop)} />
          ))}
        </div>
      </section>
      <FollowersCard followers={followers} profileName={username} />
      {past.length > 0 ? <PastDrops drops={past} isFull={isFull} /> : null}
      {plan === 'free' && !isSuspended ? <UpgradeBanner /> : null}
      {edited ? (
        <EditDropDialog
          drop={drops.find(({ id }) => id === edited.id) ?? { ...edited, state: 'ended' }}
          timezone={timezone}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </main>
  )
}

/** Returns the seller's drops and keeps them current. A seller whose session has ended is sent to the login. */
function useSellerDrops(initialDrops: SellerDropView[]): SellerDropView[] {
  const { data: drops, error } = useQuery({
    queryKey: sellerDropsKey,
    queryFn: () => callApi<SellerDropView[]>('GET', '/api/drops/user'),
    initialData: initialDrops,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
  })
  useEffect(() => {
    // While a sheet is open, the seller stays on this page, so that the typed text is not lost. The next poll checks
    // again.
    if (isSignedOut(error) && !isSheetOpen()) goToLogin()
  }, [error])
  useEffect(() => {
    if (drops[0]) learnServerTime(drops[0].serverTime, 0)
  }, [drops])
  return drops
}

/**
 * Refreshes the page when the number of units sold changes, because the server renders the seller's tasks and money
 * into the page.
 */
function useFreshToDo(drops: SellerDropView[]): void {
  const router = useRouter()
  const sold = drops.reduce((sum, drop) => sum + drop.purchases, 0)
  const shown = useRef(sold)
  useEffect(() => {
    if (shown.current !== sold) router.refresh()
    shown.current = sold
  }, [sold, router])
}

function ShareProfile({ username }: { username: string }) {
  const share = () => shareLink({ title: `@${username} on ${brand.name}`, path: profilePath(username) })
  return (
    <Button variant="ghost" size="icon" aria-label="Share your profile" onClick={() => void share()}>
      <Share2 aria-hidden />
    </Button>
  )
}

function PastDrops({ drops, isFull }: { drops: SellerDropView[]; isFull: boolean }) {
  return (
    <section aria-labelledby="past-heading" className="grid gap-2">
      <h2 id="past-heading" className="text-2xl font-bold">
        Past Drops
      </h2>
      <ul className="divide-y">
        {drops.map((drop) => (
          <PastDropRow key={drop.id} drop={drop} isFull={isFull} />
        ))}
      </ul>
    </section>
  )
}

function NoDrops() {
  return (
    <Card className="grid justify-items-start gap-3 border-dashed p-6 shadow-none">
      <p className="text-xl font-bold">Nothing is live right now</p>
      <p className="text-muted">All you need is a photo, a name, a description and a price. It takes about a minute.</p>
      <Button asChild variant="buy">
        <Link href="/create-drop">Create your drop</Link>
      </Button>
    </Card>
  )
}
