import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { waitlistTexts } from '@/lib/waitlist/messages'

type Query = Record<string, string | string[] | undefined>
type Props = { params: Promise<{ step: string }>; searchParams: Promise<Query> }

const one = (query: Query, name: string) => (typeof query[name] === 'string' ? query[name] : '')

/** The pages of a reminder: their texts, and the form that a link in a mail leads to. */
const STEPS: Record<string, { title: string; text: string; form?: (query: Query) => React.ReactNode }> = {
  sent: { title: waitlistTexts.sentTitle, text: waitlistTexts.sent },
  confirm: {
    title: waitlistTexts.confirmTitle,
    text: waitlistTexts.confirm,
    form: (query) => (
      <form method="post" action="/api/waitlist/confirm">
        <input type="hidden" name="token" value={one(query, 'token')} />
        <Button type="submit" size="lg">
          {waitlistTexts.confirmButton}
        </Button>
      </form>
    ),
  },
  done: { title: waitlistTexts.doneTitle, text: waitlistTexts.done },
  stop: {
    title: waitlistTexts.stopTitle,
    text: waitlistTexts.stop,
    form: (query) => (
      <form
        method="post"
        action={`/api/waitlist/leave?${new URLSearchParams({ entry: one(query, 'entry'), key: one(query, 'key'), page: '1' })}`}
      >
        <Button type="submit" size="lg">
          {waitlistTexts.stopButton}
        </Button>
      </form>
    ),
  },
  stopped: { title: waitlistTexts.stoppedTitle, text: waitlistTexts.stopped },
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: STEPS[(await params).step]?.title, robots: { index: false } }
}

export default async function RemindPage({ params, searchParams }: Props) {
  const { step } = await params
  const page = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined
  if (!page) notFound()
  return (
    <MessagePage title={page.title} text={page.text}>
      {page.form?.(await searchParams) ?? (
        <Button asChild variant="outline">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      )}
    </MessagePage>
  )
}
