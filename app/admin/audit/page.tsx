import type { Metadata } from 'next'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { AuditList } from '@/components/admin/audit-list'
import { FilterChips } from '@/components/admin/filter-chips'
import { Filters, FilterSelect } from '@/components/admin/filters'
import { OlderPageLink } from '@/components/admin/older-page-link'
import { Input } from '@/components/ui/input'
import { LEDGER_PAGE, listAudit } from '@/lib/admin/ledger-queries'
import { auditFilterSchema } from '@/lib/admin/schema'
import { adminPage } from '@/lib/http/admin-page'

export const metadata: Metadata = { title: 'Audit log', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const kinds: [string, string][] = [
  ['', 'Everything'],
  ['user', 'Users'],
  ['drop', 'Drops'],
  ['platform', 'Platform'],
  ['review', 'Reviews'],
  ['appeal', 'Appeals'],
  ['webhook', 'Webhooks'],
  ['payout', 'Payouts'],
  ['export', 'Exports'],
]

export default async function AuditPage({ searchParams }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const filter = auditFilterSchema.parse(await searchParams)
  const entries = await listAudit(page.ctx.reading, filter)
  const last = entries.length === LEDGER_PAGE ? entries.at(-1) : undefined
  return (
    <AdminLayout
      title="Audit log"
      text="Every action of an administrator, and important changes by sellers and Stripe. Entries can't be changed."
    >
      <Filters path="/admin/audit">
        <FilterSelect name="action" label="Action" value={filter.action} options={kinds} />
        <Input
          name="actor"
          aria-label="Administrator"
          placeholder="By @admin"
          defaultValue={filter.actor}
          className="lg:w-52"
        />
        <Input
          name="target"
          aria-label="Account, drop or order"
          placeholder="Account, drop or order ID"
          defaultValue={filter.target}
          className="lg:w-52"
        />
      </Filters>
      <FilterChips list="Audit log" />
      <AuditList entries={entries} />
      {last ? (
        <OlderPageLink
          path="/admin/audit"
          query={{ action: filter.action, actor: filter.actor, target: filter.target }}
          before={String(last.id)}
        />
      ) : null}
    </AdminLayout>
  )
}
