import { LocalTime } from '@/components/drops/local-time'
import { Card } from '@/components/ui/card'
import { auditFieldName, auditNames, auditValueText } from '@/lib/admin/messages'
import type { AuditEntryView } from '@/lib/admin/view'

export function AuditList({ entries }: { entries: AuditEntryView[] }) {
  if (entries.length === 0) return <p className="py-8 text-center text-muted">No matching entries.</p>
  return (
    <Card className="overflow-hidden">
      <ol className="divide-y">
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="grid gap-1 px-4 py-3 text-sm lg:grid-cols-[12rem_10rem_1fr_11rem] lg:gap-4 lg:py-2"
          >
            <span className="text-muted">
              <LocalTime iso={entry.createdAt} />
            </span>
            <span className="font-semibold">{entry.actor}</span>
            <span className="min-w-0">
              <span className="font-semibold">{auditNames[entry.action] ?? entry.action}</span> <Target entry={entry} />
              <Change entry={entry} />
            </span>
            <span className="text-muted lg:text-end">{entry.ip}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const pageOf: Partial<Record<string, string>> = { drop: '/drop/', user: '/admin/users/' }

/**
 * Names the target of the entry, with a link if the target has a page. An entry about the whole platform shows no
 * target.
 */
function Target({ entry: { targetType, targetId } }: { entry: AuditEntryView }) {
  if (targetType === 'platform') return null
  const page = pageOf[targetType]
  const text = `${targetType} ${targetId}`
  if (!page) return <span className="break-words text-muted">{text}</span>
  return (
    <a
      href={page + targetId}
      className="inline-flex min-h-11 min-w-11 items-center text-muted underline underline-offset-2 lg:min-h-6"
    >
      {text}
    </a>
  )
}

/** Shows the values before and after the change. */
function Change({ entry: { before, after } }: { entry: AuditEntryView }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <span className="tabular block text-muted">
      {names.map((name) => (
        <span key={name} className="block">
          {auditFieldName(name)}:{' '}
          {before && name in before ? (
            <>
              <Value name={name} value={before[name]} />
              {' → '}
            </>
          ) : null}
          <Value name={name} value={after?.[name]} />
        </span>
      ))}
    </span>
  )
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

function Value({ name, value }: { name: string; value: string | number | boolean | null | undefined }) {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && MOMENT.test(value)) return <LocalTime iso={value} />
  return auditValueText(name, value)
}
