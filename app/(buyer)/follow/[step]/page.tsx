import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { isUnfollowKey } from '@/lib/followers/unfollow-links'
import { followerTexts, followTitle } from '@/lib/followers/messages'
import { findFollowRequest } from '@/lib/followers/queries'
import { followSteps } from '@/lib/followers/rules'
import { followTokenSchema } from '@/lib/followers/schema'
import { database } from '@/lib/infra/db'

type Query = Record<string, string | string[] | undefined>
type Step = (typeof followSteps)[number]
type Props = { params: Promise<{ step: string }>; searchParams: Promise<Query> }
type Screen = { title: string; text: string; form?: React.ReactNode }

const queryText = (query: Query, name: string) => (typeof query[name] === 'string' ? query[name] : '')

/**
 * The pages on which a visitor confirms or stops following a seller. Opening a link from an email changes nothing. The
 * visitor has to press the button on the page. The parameter `page` makes the API redirect instead of returning JSON.
 */
const SCREENS: Record<Step, (query: Query) => Screen | Promise<Screen>> = {
  sent: () => ({ title: followerTexts.sentTitle, text: followerTexts.sent }),
  confirm: async (query) => {
    const token = queryText(query, 'token')
    const request = followTokenSchema.safeParse(token).success ? await findFollowRequest(database(), token) : null
    if (!request) return { title: followerTexts.expiredTitle, text: followerTexts.expired }
    return {
      title: followTitle(request.username),
      text: request.consentText,
      form: (
        <form method="post" action="/api/follow/confirm">
          <input type="hidden" name="token" value={token} />
          <Button type="submit" size="lg">
            {followerTexts.confirmButton}
          </Button>
        </form>
      ),
    }
  },
  done: () => ({ title: followerTexts.doneTitle, text: followerTexts.done }),
  stop: (query) => {
    const [follower, key] = [queryText(query, 'follower'), queryText(query, 'key')]
    if (!isUnfollowKey(Number(follower), key)) {
      return { title: followerTexts.stopInvalidTitle, text: followerTexts.stopInvalid }
    }
    return {
      title: followerTexts.stopTitle,
      text: followerTexts.stop,
      form: (
        <form method="post" action={`/api/follow/leave?${new URLSearchParams({ follower, key, page: '1' })}`}>
          <Button type="submit" size="lg">
            {followerTexts.stopButton}
          </Button>
        </form>
      ),
    }
  },
  stopped: () => ({ title: followerTexts.stoppedTitle, text: followerTexts.stopped }),
}

async function loadScreen({ params, searchParams }: Props): Promise<Screen | null> {
  const { step } = await params
  const known = followSteps.find((name) => name === step)
  return known ? SCREENS[known](await searchParams) : null
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await loadScreen(props))?.title, robots: { index: false } }
}

export default async function FollowPage(props: Props) {
  const screen = await loadScreen(props)
  if (!screen) notFound()
  const { title, text, form } = screen
  return (
    <MessagePage isForBuyers title={title} text={text}>
      {form ?? (
        <Button asChild variant="outline">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      )}
    </MessagePage>
  )
}
