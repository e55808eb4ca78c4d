import { Search } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { ChoiceSelect } from '@/components/ui/choice-select'
import { filterAddress, isFiltered, type SellerOrderFilter } from '@/lib/orders/filter-schema'

const shows: [SellerOrderFilter['show'], string][] = [
  ['all', 'All orders'],
  ['ship', 'To ship'],
  ['shipped', 'On its way'],
  ['delivered', 'Delivered or completed'],
  ['asked', 'Refund requested'],
  ['refunded', 'Refunded'],
  ['disputed', 'Disputed'],
]

const periods: [string, string][] = [
  ['', 'All time'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 365 days'],
]

type OrderFiltersProps = { filter: SellerOrderFilter; drops: { id: number; title: string }[] }

/**
 * Shows the states of orders as links, and below them a plain form with the other filters. On phones the form is
 * collapsed until it is needed. Both work without JavaScript, and the page's URL contains the chosen filters.
 */
export function OrderFilters({ filter, drops }: OrderFiltersProps) {
  const isNarrowed = isFiltered({ ...filter, show: 'all' })
  return (
    <div className="grid gap-3">
      <nav aria-label="Orders by state" className="-mx-5 overflow-x-auto px-5 max-[16rem]:mx-0 max-[16rem]:px-0">
        <ul className="flex gap-2 max-[16rem]:flex-wrap md:flex-wrap">
          {shows.map(([show, label]) => (
            <li key={show}>
              <Link
                href={filterAddress('/orders', { ...filter, show })}
                prefetch={false}
                aria-current={filter.show === show ? 'true' : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-control/60 bg-surface px-4 text-sm font-semibold whitespace-nowrap hover:bg-sunken aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-paper forced-colors:aria-[current]:outline-2"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <details open={isNarrowed} className="group md:hidden">
        <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 text-sm font-semibold">
          <Search aria-hidden className="size-5 text-muted" />
          Search and filter
        </summary>
        <FilterForm filter={filter} drops={drops} className="mt-1 grid grid-cols-2" />
      </details>
      <FilterForm filter={filter} drops={drops} className="hidden md:flex md:items-end" />
    </div>
  )
}

function FilterForm({ filter, drops, className }: OrderFiltersProps & { className: string }) {
  return (
    <form action="/orders" role="search" className={`gap-3 ${className}`}>
      {filter.show === 'all' ? null : <input type="hidden" name="show" value={filter.show} />}
      <Input
        name="q"
        type="search"
        enterKeyHint="search"
        aria-label="Search your orders"
        placeholder="Buyer, email, order, drop"
        defaultValue={filter.q}
        className="max-md:col-span-full md:w-72"
      />
      <Choice
        name="days"
        label="Period"
        value={String(filter.days ?? '')}
        options={periods}
        className={drops.length > 1 ? undefined : 'max-md:col-span-full'}
      />
      {drops.length > 1 ? (
        <Choice
          name="drop"
          label="Drop"
          value={String(filter.drop ?? '')}
          options={[['', 'All drops'], ...drops.map(({ id, title }): [string, string] => [String(id), title])]}
        />
      ) : null}
      <Button type="submit" variant="outline" size="field" className="max-md:col-span-full">
        Apply
      </Button>
    </form>
  )
}

type ChoiceProps = {
  name: string
  label: string
  value: string
  options: [value: string, label: string][]
  className?: string | undefined
}

function Choice({ name, label, value, options, className }: ChoiceProps) {
  return (
    <div className={`min-w-0 md:w-44 ${className ?? ''}`}>
      <ChoiceSelect name={name} label={label} choices={options} defaultValue={value} className="truncate" />
    </div>
  )
}
