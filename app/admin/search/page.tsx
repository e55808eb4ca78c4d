import type { Metadata } from 'next'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { searchGroups } from '@/components/admin/search-groups'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { adminTexts } from '@/lib/admin/messages'
import { panelSearchSchema } from '@/lib/admin/schema'
import { searchPanel } from '@/lib/admin/search-panel'
import { adminPage } from '@/lib/http/admin-page'
import { searchQueue } from '@/lib/http/search-queue'
import { QueueFull } from '@/lib/infra/bounded-queue'

export const metadata: Metadata = { title: 'Search', robots: { index: false } }

/** Runs a search in the search queue. A page cannot respond with status 503, so it shows that the queue is full. */
async function searchOrBusy<Found>(search: () => Promise<Found>): Promise<Found | 'busy'> {
  try {
    return await searchQueue(search)
  } catch (error) {
    if (error instanceof QueueFull) return 'busy'
    throw error
  }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Shows the search as a plain page, which works without JavaScript (docs/product.md#admin-search). */
export default async function SearchPage({ searchParams }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const { q } = await searchParams
  const query = panelSearchSchema.safeParse({ q })
  const words = query.success ? query.data.q : ''
  const found = query.success ? await searchOrBusy(() => searchPanel(page.ctx.reading, query.data)) : null
  const isBusy = found === 'busy'
  const groups = searchGroups(words, isBusy ? null : found)
  return (
    <AdminLayout title="Search" text="Find users, drops, orders, payouts, disputes, and the pages of the panel.">
      <form action="/admin/search" className="flex gap-3">
        <Input
          type="search"
          name="q"
          aria-label="Search the panel"
          placeholder="Name, email, title, link, order or Stripe ID"
          defaultValue={words}
          maxLength={200}
          autoComplete="off"
        />
        <Button type="submit" variant="outline" size="field">
          Search
        </Button>
      </form>
      {isBusy ? <p role="alert">{adminTexts.searchBusy}</p> : null}
      {groups.length === 0 && !isBusy ? <p className="text-muted">Nothing found.</p> : null}
      {groups.map(({ heading, hits }) => (
        <section key={heading} aria-label={heading} className="grid gap-2">
          <h2 className="text-xl font-bold">{heading}</h2>
          <Card className="overflow-hidden">
            <ul className="divide-y">
              {hits.map(({ label, detail, href }) => (
                <li key={`${label}-${href}-${detail}`}>
                  <a href={href} className="grid min-h-11 content-center px-4 py-2 hover:bg-sunken">
                    <span className="truncate font-semibold">{label}</span>
                    <span className="truncate text-sm text-muted">{detail}</span>
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </AdminLayout>
  )
}
