import { earlyTexts, publicUnitsText } from '@/lib/drops/start/early-messages'
import type { DropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { earlyErrors, type EarlyProblem } from '@/lib/checkout/choices/early-messages'
import { AnnounceChange } from './announce-change'
import { LocalTime } from '@/components/drops/local-time'

type EarlyNoticeProps = {
  drop: DropView
  access: 'soon' | 'open' | 'refused'
  problem: EarlyProblem | null
  /** Whether this browser has an open checkout of the drop, which may hold the last unit for followers. */
  hasOpenCheckout: boolean
}

/** Says what a follower's link can do now (docs/product.md#early-access). */
export function EarlyNotice({ drop, access, problem, hasOpenCheckout }: EarlyNoticeProps) {
  const { earlyStartsAt, startedAt } = drop
  const left = drop.earlyLeft ?? 0
  const isFull = access === 'open' && left === 0 && !hasOpenCheckout
  const title = access === 'soon' ? earlyTexts.notOpenTitle : isFull ? earlyTexts.fullTitle : earlyTexts.title
  return (
    <div className="relative grid gap-1 rounded-card bg-sunken p-5" data-early={access}>
      <AnnounceChange text={title} />
      <h2 className="text-xl font-bold">{title}</h2>
      {access === 'refused' && problem ? <p className="text-muted">{earlyErrors[problem].text}</p> : null}
      {access === 'soon' && earlyStartsAt ? (
        <>
          <p className="text-muted">
            Your link works from <LocalTime iso={earlyStartsAt} />. {earlyTexts.notOpen}
          </p>
          <noscript>
            <p className="font-medium">{earlyTexts.notOpenWithoutScript}</p>
          </noscript>
        </>
      ) : null}
      {access === 'open' ? (
        <>
          <p className="text-muted">{isFull ? earlyErrors.EARLY_FULL.text : earlyTexts.open}</p>
          <p className="tabular text-sm font-medium">
            {left === 0 ? null : `${formatCount(left)} ${left === 1 ? 'unit' : 'units'} left for followers. `}
            Public start: <LocalTime iso={startedAt} />
          </p>
        </>
      ) : null}
    </div>
  )
}

/** Says, on the page that everyone sees, from when followers can buy and how many units remain for everyone. */
export function FollowersFirst({ drop }: { drop: DropView }) {
  const { earlyStartsAt, startedAt, publicUnits, quantity } = drop
  if (earlyStartsAt === null || publicUnits === null) return null
  return (
    <>
      <p className="tabular mt-2 font-medium" data-followers-first>
        Followers can buy starting <LocalTime iso={earlyStartsAt} />.{' '}
        {publicUnitsText(publicUnits, quantity, drop.option)} starting <LocalTime iso={startedAt} />.
      </p>
      {canStillFollow(drop) ? <p className="mt-2 text-muted">{earlyTexts.followFirst}</p> : null}
    </>
  )
}

/** Whether someone who follows the seller now may still get a personal link to the drop. */
export function canStillFollow({ earlyStartsAt, serverTime, user }: DropView): boolean {
  return earlyStartsAt !== null && user.username !== null && Date.parse(earlyStartsAt) > Date.parse(serverTime)
}
