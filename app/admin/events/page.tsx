import type { Metadata } from 'next'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { FilterChips } from '@/components/admin/filter-chips'
import { Filters, FilterSelect } from '@/components/admin/filters'
import { OlderPageLink } from '@/components/admin/older-page-link'
import { ReplayButton } from '@/components/admin/replay-button'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { LEDGER_PAGE, listEvents } from '@/lib/admin/ledger-queries'
import { eventFilterSchema } from '@/lib/admin/schema'
import type { WebhookEventView } from '@/lib/admin/view'
import { adminPage } from '@/lib/http/admin-page'
import { replayEventAction } from '../actions'

export const metadata: Metadata = { title: 'Webhook events', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const states: [string, string][] = [
  ['all', 'All events'],
  ['open', 'Open or failed'],
  ['orphaned', 'Orphaned'],
]

const nothing = {
  all: 'No events from Stripe yet. Every event it sends appears here.',
  open: 'Nothing is open. Every event was handled.',
  orphaned: 'No orphaned events.',
} as const

export default async function EventsPage({ searchParams }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const filter = eventFilterSchema.parse(await searchParams)
  const events = await listEvents(page.ctx, filter)
  const last = events.length === LEDGER_PAGE ? events.at(-1) : undefined
  return (
    <AdminLayout
      title="Webhook events"
      text="Events from Stripe. Orphaned events match nothing in our records, or failed for 30 days. Replaying an event reads it from Stripe again."
    >
      <Filters path="/admin/events">
        <FilterSelect name="show" label="State" value={filter.show} options={states} />
      </Filters>
      <FilterChips list="Events" />
      {events.length === 0 ? (
        <p className="py-8 text-center text-muted">{nothing[filter.show]}</p>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        </Card>
      )}
      {last ? <OlderPageLink path="/admin/events" query={{ show: filter.show }} before={last.receivedAt} /> : null}
    </AdminLayout>
  )
}

function EventRow({ event }: { event: WebhookEventView }) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-3 px-4 py-2 text-sm">
      <div className="grid min-w-0 gap-0.5 lg:grid-cols-[18rem_1fr_14rem] lg:items-center lg:gap-4">
        <span className="font-semibold">{event.type}</span>
        <span className="min-w-0 truncate text-muted" title={event.objectId}>
          {event.objectId}
        </span>
        <span className="flex flex-wrap items-center gap-1.5 text-muted">
          <Badge variant={event.isHandled ? 'secondary' : 'destructive'}>
            {event.isHandled ? (event.outcome ?? 'handled') : 'open'}
          </Badge>
          {event.attempts > 1 ? <span>{event.attempts} times</span> : null}
          <LocalTime iso={event.receivedAt} />
        </span>
      </div>
      <ReplayButton id={event.id} type={event.type} onReplay={replayEventAction} />
    </li>
  )
}
