'use client'

import { type Ref, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field'
import { Fold } from '@/components/ui/fold'
import { zoneSummary, zoneTexts } from '@/lib/drops/delivery/zone-messages'
import { MAX_ZONES, type TypedZone, typedZones } from '@/lib/drops/delivery/zone-rules'
import { ZoneEditor } from './zone-editor'

type ZoneFieldsProps = {
  id: string
  /** The zones as JSON, with the surcharges as they were typed; empty when the price includes shipping. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
  /** The country that the seller ships from, if it is known. */
  home: string
  ref?: Ref<HTMLElement>
}

/**
 * Asks where parcels are sent to and what that costs, collapsed because most drops ship everywhere with shipping in the
 * price (docs/product.md#shipping-zones).
 */
export function ZoneFields({ id, value, onChange, problem, home, ref }: ZoneFieldsProps) {
  const zones = typedZones(value) ?? []
  const [isWanted, setIsWanted] = useState(zones.length > 0)
  const change = (next: TypedZone[]) => onChange(next.length === 0 ? '' : JSON.stringify(next))
  const taken = zones.flatMap(({ countries }) => countries)
  return (
    <Fold
      line={`${zoneTexts.legend}: ${zoneSummary(zones)}`}
      isOpen={isWanted || problem !== undefined}
      onToggle={setIsWanted}
      ref={ref}
      id={id}
      aria-describedby={`${id}-error`}
    >
      <div className="grid gap-4">
        <p className="text-sm text-muted">{zoneTexts.hint}</p>
        {zones.map((zone, at) => (
          <ZoneEditor
            // Zones have no id, so their position identifies them.
            key={at}
            id={`${id}-${at + 1}`}
            number={at + 1}
            zone={zone}
            taken={taken}
            home={home}
            onChange={(changed) => change(zones.map((other, place) => (place === at ? changed : other)))}
            onRemove={() => change(zones.filter((_, place) => place !== at))}
          />
        ))}
        {zones.length < MAX_ZONES ? (
          <Button
            type="button"
            variant="outline"
            className="justify-self-start"
            onClick={() => change([...zones, { surcharge: '', countries: [] }])}
          >
            {zones.length === 0 ? zoneTexts.addFirstZone : zoneTexts.addZone}
          </Button>
        ) : null}
      </div>
      <FieldError id={`${id}-error`}>{problem}</FieldError>
    </Fold>
  )
}
