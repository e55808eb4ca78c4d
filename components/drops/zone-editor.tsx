'use client'

import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { zoneTexts } from '@/lib/drops/delivery/zone-messages'
import type { TypedZone } from '@/lib/drops/delivery/zone-rules'
import { countryName, EU_COUNTRIES, isShippingCountry, SHIPPING_COUNTRIES } from '@/lib/kernel/country'

/** How many countries the search offers at a time, so that they fit above a phone's keyboard. */
const MOST_FOUND = 4

type ZoneEditorProps = {
  id: string
  number: number
  zone: TypedZone
  /** The countries of all zones. */
  taken: readonly string[]
  /** The country that the seller ships from, or empty. */
  home: string
  onChange: (zone: TypedZone) => void
  onRemove: () => void
}

/** The fields of one zone: its surcharge, and its countries, which are found by name or added in groups. */
export function ZoneEditor({ id, number, zone, taken, home, onChange, onRemove }: ZoneEditorProps) {
  const { surcharge, countries } = zone
  const left = SHIPPING_COUNTRIES.filter((code) => !taken.includes(code))
  const add = (codes: readonly string[]) => onChange({ ...zone, countries: [...countries, ...codes] })
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-card border p-4">
      <legend className="px-1 text-sm font-semibold">Zone {number}</legend>
      {countries.length > 0 ? (
        <ul className="flex flex-wrap gap-2">
          {countries.map((code) => (
            <li key={code}>
              <button
                type="button"
                aria-label={`Remove ${countryName(code)}`}
                onClick={() => onChange({ ...zone, countries: countries.filter((other) => other !== code) })}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full border bg-sunken ps-4 pe-3 text-sm font-medium hover:border-ink"
              >
                {countryName(code)}
                <X aria-hidden className="size-4 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <CountrySearch id={`${id}-search`} left={left} onAdd={(code) => add([code])} />
      <Presets left={left} home={home} onAdd={add} />
      <div className="grid gap-2">
        <label htmlFor={`${id}-surcharge`} className="text-sm font-semibold">
          {zoneTexts.surcharge}
        </label>
        <Input
          id={`${id}-surcharge`}
          value={surcharge}
          onChange={(event) => onChange({ ...zone, surcharge: event.target.value })}
          inputMode="decimal"
          autoComplete="off"
          placeholder="$0.00"
        />
      </div>
      <Button type="button" variant="ghost" className="justify-self-start" onClick={onRemove}>
        {zoneTexts.removeZone}
      </Button>
    </fieldset>
  )
}

type CountrySearchProps = { id: string; left: readonly string[]; onAdd: (code: string) => void }

function CountrySearch({ id, left, onAdd }: CountrySearchProps) {
  const [typed, setTyped] = useState('')
  const words = typed.trim().toLowerCase()
  const found = words === '' ? [] : left.filter((code) => countryName(code).toLowerCase().includes(words))
  const pick = (code: string) => {
    onAdd(code)
    setTyped('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter must not send the whole form.
    event.preventDefault()
    if (found[0]) pick(found[0])
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-semibold">
        {zoneTexts.search}
      </label>
      <Input
        id={id}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKey}
        autoComplete="off"
        enterKeyHint="done"
        placeholder="Germany"
      />
      <div role="status" className="flex flex-wrap gap-2 empty:hidden">
        {found.slice(0, MOST_FOUND).map((code) => (
          <Button key={code} type="button" variant="outline" onClick={() => pick(code)}>
            {countryName(code)}
          </Button>
        ))}
        {words !== '' && found.length === 0 ? <p className="text-sm text-muted">{zoneTexts.nothingFound}</p> : null}
      </div>
    </div>
  )
}

type PresetsProps = { left: readonly string[]; home: string; onAdd: (codes: readonly string[]) => void }

/** Adds several countries with one press. A group that has no country left is not offered. */
function Presets({ left, home, onAdd }: PresetsProps) {
  const groups: [label: string, codes: readonly string[]][] = [
    [countryName(home), isShippingCountry(home) ? [home] : []],
    [zoneTexts.eu, EU_COUNTRIES],
    [zoneTexts.rest, SHIPPING_COUNTRIES],
  ]
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {groups.map(([label, codes]) => {
        const free = codes.filter((code) => left.includes(code))
        return free.length === 0 ? null : (
          <Button key={label} type="button" variant="outline" onClick={() => onAdd(free)}>
            + {label}
          </Button>
        )
      })}
    </div>
  )
}
