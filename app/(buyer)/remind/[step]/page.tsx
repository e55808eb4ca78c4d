import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { isLeaveKey } from '@/lib/waitlist/leave-links'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { reminderSteps } from '@/lib/waitlist/rules'

type Query = Record<string, string | string[] | undefined>
type Step = (typeof reminderSteps)[number]
type Props = { params: Promise<{ step: string }>; searchParams: Promise<Query> }

const queryText = (query: Query, name: string) => (typeof query[name] === 'string' ? query[name] : '')

/**
 * The texts of the reminder pages. The two pages that links in emails open also have a form, because opening a link
 * must change nothing. The parameter `page` makes the API redirect instead of returning JSON.
 */
const STEPS: Record<Step, { title: string; text: string; form?: (query: Query) => React.ReactNode }> = {
  sent: { title: waitlistTexts.sentTitle, text: waitlistTexts.sent },
  confirm: {
    title: waitlistTexts.confirmTitle,
    text: waitlistTexts.confirm,
    form: (query) => (
      <form method="post" action="/api/waitlist/confirm">
        <input type="hidden" name="token" value={queryText(query, 'token')} />
        <Button type="submit" size="lg">
          {waitlistTexts.confirmButton}
        </Button>
      </form>
    ),
  },
  done: { title: waitlistTexts.doneTitle, text: waitlistTexts.done },
  offered: { title: waitlistTexts.offeredTitle, text: waitlistTexts.offered },
  stop: {
    title: waitlistTexts.stopTitle,
    text: waitlistTexts.stop,
    form: (query) => (
      <form
        method="post"
        action={`/api/waitlist/leave?${new URLSearchParams({ entry: queryText(query, 'entry'), key: queryText(query, 'key'), page: '1' })}`}
      >
        <Button type="submit" size="lg">
          {waitlistTexts.stopButton}
        </Button>
      </form>
    ),
  },
  stopped: { title: waitlistTexts.stoppedTitle, text: waitlistTexts.stopped },
}

function stepOf(name: string) {
  const step = reminderSteps.find((known) => known === name)
  return step && STEPS[step]
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: stepOf((await params).step)?.title, robots: { index: false } }
}

export default async function RemindPage({ params, searchParams }: Props) {
  const { step } = await params
  const page = stepOf(step)
  if (!page) notFound()
  const query = await searchParams
  if (step === 'stop' && !isLeaveKey(Number(queryText(query, 'entry')), queryText(query, 'key'))) {
    return (
      <MessagePage isForBuyers title={waitlistTexts.stopInvalidTitle} text={waitlistTexts.stopInvalid}>
        <Button asChild variant="outline">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      </MessagePage>
    )
  }
  return (
    <MessagePage isForBuyers title={page.title} text={page.text}>
      {page.form?.(query) ?? (
        <Button asChild variant="outline">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      )}
    </MessagePage>
  )
}
