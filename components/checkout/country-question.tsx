import { CountryOptions } from '@/components/drop-page/country-options'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import type { ShippingZoneView } from '@/lib/drops/delivery/zone-view'
import { zoneTexts } from '@/lib/drops/delivery/zone-messages'

type CountryQuestionProps = {
  zones: readonly ShippingZoneView[]
  /** Why there is no country yet. */
  problem: string
  /** The path of the checkout page, and the other parameters of its URL, which the form sends again. */
  path: string
  query: Record<string, string>
}

/** Asks for the country before the checkout page holds a unit. The plain form works without JavaScript. */
export function CountryQuestion({ zones, problem, path, query }: CountryQuestionProps) {
  return (
    <MessagePage isForBuyers title={zoneTexts.question} text={problem}>
      <form action={path} className="grid w-full gap-3">
        {Object.entries(query).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <NativeSelect name="country" required defaultValue="" aria-label={zoneTexts.shipTo}>
          <CountryOptions zones={zones} />
        </NativeSelect>
        <Button type="submit" size="lg">
          {zoneTexts.next}
        </Button>
      </form>
    </MessagePage>
  )
}
