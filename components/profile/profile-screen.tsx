import { ArrowLeft, BadgeCheck, ExternalLink } from 'lucide-react'
import { ShareButton } from '@/components/drops/share-button'
import { FollowForm } from '@/components/followers/follow-form'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { HomeLink } from '@/components/layout/home-link'
import { PublicHeader } from '@/components/layout/public-header'
import { Badge } from '@/components/ui/badge'
import { profilePath } from '@/lib/accounts/rules'
import type { DropView } from '@/lib/drops/view'
import { followTitle } from '@/lib/followers/messages'
import { brand } from '@/lib/kernel/brand'
import type { Plan } from '@/lib/kernel/plan'
import { planLabel } from '@/lib/plans/rules'
import { linkLabel } from '@/lib/profiles/rules'
import type { PublicProfileView } from '@/lib/profiles/view'
import { ProfileDropCard } from './profile-drop-card'
import { SoldOutWall, type SoldOutWallProps } from './sold-out-wall'

type ProfileScreenProps = {
  user: { username: string; plan: Plan; isVerified: boolean; profileImageUrl: string | null }
  words: PublicProfileView
  drops: DropView[]
  soldOut: SoldOutWallProps['drops']
}

/** The public profile: who the seller is, the active drops (live, scheduled or just ended), and the sold-out drops. */
export function ProfileScreen({ user, words, drops, soldOut }: ProfileScreenProps) {
  return (
    <>
      <PublicHeader action={{ label: 'Sell your own', href: '/login?mode=signup' }} />
      <main className="mx-auto grid max-w-6xl gap-10 px-5 pt-2 pb-24 md:px-8">
        <div className="grid gap-5">
          <HomeLink aria-label="Back" className="-ms-3 grid size-11 place-items-center rounded-control hover:bg-sunken">
            <ArrowLeft aria-hidden className="size-5" />
          </HomeLink>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
            <Avatar username={user.username} imageUrl={user.profileImageUrl} />
            <div className="grid min-w-0 gap-1.5">
              <h1 className="flex items-center gap-2 text-3xl leading-tight font-extrabold wrap-anywhere md:text-5xl">
                @{user.username}
                {user.isVerified ? (
                  <BadgeCheck className="size-6 shrink-0 text-good md:size-8" aria-label="Verified seller" />
                ) : null}
              </h1>
              <Badge variant={user.plan === 'pro' ? 'default' : 'secondary'} className="justify-self-start">
                {planLabel[user.plan]}
              </Badge>
            </div>
            <ShareButton
              title={`@${user.username} on ${brand.name}`}
              path={profilePath(user.username)}
              className="max-sm:w-full sm:ms-auto"
            />
          </div>
          <ProfileTexts words={words} />
        </div>
        <section aria-labelledby="drops-heading" className="grid gap-5">
          <h2 id="drops-heading" className="text-2xl font-bold md:text-3xl">
            Active Drops
          </h2>
          {drops.length === 0 ? (
            <div className="grid gap-1 rounded-card bg-sunken p-6 md:p-10">
              <p className="text-lg font-semibold">No active drops</p>
              <p className="text-muted">This creator doesn&apos;t have any active drops right now.</p>
            </div>
          ) : (
            <ul className="grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
              {drops.map((drop, at) => (
                <li key={drop.id}>
                  <ProfileDropCard drop={drop} isHero={at === 0} />
                </li>
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="follow-heading" className="grid gap-3 rounded-card bg-sunken p-5 md:p-8">
          <h2 id="follow-heading" className="text-xl font-bold wrap-anywhere md:text-2xl">
            {followTitle(user.username)}
          </h2>
          <FollowForm username={user.username} from="profile" />
        </section>
        <SoldOutWall drops={soldOut} />
        <p className="text-sm text-muted">
          Powered by <HomeLink className="font-semibold text-ink underline underline-offset-2">{brand.name}</HomeLink>
        </p>
        <a
          href={`${profilePath(user.username)}/report`}
          rel="nofollow"
          className="inline-flex min-h-11 items-center justify-self-start text-sm text-muted underline underline-offset-4"
        >
          Report this profile
        </a>
        <BuyerLinks />
      </main>
    </>
  )
}

/** What the seller has written. The links are the seller's own, so search engines are asked not to count them. */
function ProfileTexts({ words: { about, links } }: { words: PublicProfileView }) {
  if (!about && links.length === 0) return null
  return (
    <div className="grid max-w-prose gap-2">
      {about ? (
        <p className="text-lg wrap-anywhere" dir="auto">
          {about}
        </p>
      ) : null}
      {links.length > 0 ? (
        <ul className="flex flex-wrap gap-x-5">
          {links.map((link) => (
            <li key={link} className="min-w-0">
              <a
                href={link}
                rel="ugc nofollow noopener noreferrer"
                className="inline-flex min-h-11 max-w-full items-center gap-1.5 font-semibold underline underline-offset-2"
              >
                <ExternalLink aria-hidden className="size-4 shrink-0" />
                <span className="min-w-0 wrap-anywhere">{linkLabel(link)}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Avatar({ username, imageUrl }: { username: string; imageUrl: string | null }) {
  const shape = 'size-16 shrink-0 rounded-full md:size-20'
  if (imageUrl) {
    // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
    return <img src={imageUrl} alt="" width={80} height={80} className={`${shape} bg-sunken object-cover`} />
  }
  return (
    <span
      aria-hidden
      className={`${shape} grid place-items-center bg-ink font-display text-3xl font-bold text-paper md:text-4xl`}
    >
      {username.charAt(0).toUpperCase()}
    </span>
  )
}
