import {
  CalendarClock,
  CircleCheck,
  ChevronRight,
  Eye,
  Gauge,
  IdCard,
  type LucideIcon,
  PartyPopper,
  Scale,
  Timer,
  Truck,
  Undo2,
  Wallet,
} from 'lucide-react'
import Link from 'next/link'
import { LocalTime } from '@/components/drops/local-time'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/class-names'
import type { ToDoItem } from './to-do-items'

const icons: Record<ToDoItem['kind'], LucideIcon> = {
  dispute: Scale,
  inquiry: Scale,
  refund: Undo2,
  late: Truck,
  ship: Truck,
  payouts: Wallet,
  startsSoon: CalendarClock,
  endsSoon: Timer,
  soldOut: PartyPopper,
  review: Eye,
  limit: Gauge,
  highVolume: IdCard,
}

/** The kinds that cost money or a buyer's trust if the seller waits. */
const urgent: ToDoItem['kind'][] = ['dispute', 'inquiry', 'late']

/** Lists what the seller has to do. Each line links to the page for the task, or to the card of a drop on this page. */
export function ToDo({ items }: { items: ToDoItem[] }) {
  return (
    <section aria-labelledby="today-heading" className="grid gap-3">
      <h2 id="today-heading" className="text-2xl font-bold">
        Today
      </h2>
      {items.length === 0 ? (
        <AllDone />
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y">
            {items.map((item) => (
              <Line key={item.key} item={item} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

function Line({ item: { kind, href, title, text, at, imageSrc } }: { item: ToDoItem }) {
  const Icon = icons[kind]
  const isUrgent = urgent.includes(kind)
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        className="flex min-h-16 items-center gap-3 px-4 py-2.5 hover:bg-sunken max-[16rem]:px-2"
      >
        {imageSrc ? (
          // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
          <img
            src={imageSrc}
            alt=""
            width={44}
            height={44}
            className="size-11 rounded-control bg-sunken object-cover"
          />
        ) : (
          <span
            className={cn(
              'grid size-11 shrink-0 place-items-center rounded-control max-[16rem]:hidden',
              isUrgent ? 'bg-bad/10 text-bad' : 'bg-sunken text-ink',
            )}
          >
            <Icon aria-hidden className="size-5" />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="tabular block leading-snug font-semibold">{title}</span>
          <span className={cn('block text-sm', isUrgent ? 'text-bad' : 'text-muted')}>
            {text}
            {at ? (
              <>
                {' '}
                <LocalTime iso={at} />
              </>
            ) : null}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
      </Link>
    </li>
  )
}

function AllDone() {
  return (
    <Card className="flex items-center gap-3 p-4">
      <CircleCheck aria-hidden className="size-8 shrink-0 text-good" />
      <div>
        <p className="text-lg font-bold">You&apos;re all caught up</p>
        <p className="text-sm text-muted">New orders, refund requests and disputes show up here.</p>
      </div>
    </Card>
  )
}
