import { Download, Users } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { profilePath } from '@/lib/accounts/rules'
import { followerCountText, followerTexts } from '@/lib/followers/messages'
import type { FollowerCountView } from '@/lib/followers/view'
import { formatCount } from '@/lib/kernel/format-count'

type FollowersCardProps = {
  followers: FollowerCountView
  /** The name of the public profile, where people can follow; null while the seller has none. */
  profileName: string | null
}

/** Shows how many people get emails about the seller's drops, with a link that downloads the list. */
export function FollowersCard({ followers: { total, lastMonth }, profileName }: FollowersCardProps) {
  return (
    <section aria-labelledby="followers-heading" className="grid gap-3">
      <h2 id="followers-heading" className="text-2xl font-bold">
        {followerTexts.cardTitle}
      </h2>
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
        <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken">
          <Users aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-[1_1_12rem]">
          {total > 0 ? (
            <>
              <p className="tabular leading-snug font-semibold">{followerCountText(total)}</p>
              <p className="tabular text-sm text-muted">{formatCount(lastMonth)} new in the last 30 days</p>
            </>
          ) : (
            <p className="text-sm text-muted">{followerTexts.nobody}</p>
          )}
        </div>
        {total > 0 ? (
          <Button asChild variant="outline">
            <a href="/followers/export.csv" download>
              <Download aria-hidden />
              {followerTexts.download}
            </a>
          </Button>
        ) : null}
        {total === 0 && profileName ? (
          <Button asChild variant="outline">
            <a href={profilePath(profileName)}>View your profile</a>
          </Button>
        ) : null}
      </Card>
    </section>
  )
}
