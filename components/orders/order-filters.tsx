import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import type { SellerOrderFilter } from '@/lib/orders/schema'

const shows: [SellerOrderFilter['show'], string][] = [
  ['all', 'All orders'],
  ['ship', 'To ship'],
  ['shipped', 'On its way'],
  ['delivered', 'Delivered or done'],
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

/** A plain form, so that it works without JavaScript and the address says what is shown. */
export function OrderFilters({ filter, drops }: OrderFiltersProps) {
  return (
    <form action="/orders" role="search" className="grid grid-cols-2 gap-3 md:flex md:items-end">
      <Input
        name="q"
        type="search"
        enterKeyHint="search"
        aria-label="Search your orders"
        placeholder="Buyer, email, order, item"
        defaultValue={filter.q}
        className="max-md:col-span-full md:w-72"
      />
      <Choice name="show" label="State" value={filter.show} options={shows} />
      <Choice name="days" label="Period" value={String(filter.days ?? '')} options={periods} />
      {drops.length > 1 ? (
        <Choice
          name="drop"
          label="Drop"
          value={String(filter.drop ?? '')}
          options={[['', 'All drops'], ...drops.map(({ id, title }): [string, string] => [String(id), title])]}
          className="max-md:col-span-full"
        />
      ) : null}
      <Button type="submit" variant="outline" size="field" className="max-md:col-span-full">
        Show
      </Button>
    </form>
  )
}

type ChoiceProps = {
  name: string
  label: string
  value: string
  options: [value: string, label: string][]
  className?: string
}

function Choice({ name, label, value, options, className }: ChoiceProps) {
  return (
    <div className={`min-w-0 md:w-44 ${className ?? ''}`}>
      <NativeSelect name={name} aria-label={label} defaultValue={value} className="truncate">
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}
