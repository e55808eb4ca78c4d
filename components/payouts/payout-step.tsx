'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, FieldDescription, FieldLabel } from '@/components/ui/field'
import { NativeSelect } from '@/components/ui/native-select'
import { callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { countryName } from '@/lib/kernel/country'
import { PAYOUT_COUNTRIES } from '@/lib/payouts/rules'

type PayoutStepProps = {
  label: string
  variant: 'default' | 'outline'
  /** The account does not exist yet, so its country is asked for: Stripe never changes it afterwards. */
  asksCountry: boolean
}

/** The one next step. It leads to Stripe's page, whose address is created for each visit. */
export function PayoutStep({ label, variant, asksCountry }: PayoutStepProps) {
  const [isGoing, setIsGoing] = useState(false)
  const [country, setCountry] = useState<string>(PAYOUT_COUNTRIES[0])
  async function go(): Promise<void> {
    setIsGoing(true)
    try {
      const body = asksCountry ? { country } : undefined
      const { url } = await callApi<{ url: string }>('POST', '/api/payouts/connect', body)
      window.location.assign(url)
    } catch (error) {
      setIsGoing(false)
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  return (
    <>
      {asksCountry ? (
        <Field>
          <FieldLabel htmlFor="payout-country">Country you are paid in</FieldLabel>
          <NativeSelect
            id="payout-country"
            aria-describedby="payout-country-hint"
            value={country}
            onChange={(event) => setCountry(event.target.value)}
          >
            {PAYOUT_COUNTRIES.map((code) => (
              <option key={code} value={code}>
                {countryName(code)}
              </option>
            ))}
          </NativeSelect>
          <FieldDescription id="payout-country-hint">You can&apos;t change it later.</FieldDescription>
        </Field>
      ) : null}
      <Button variant={variant} className="justify-self-start" disabled={isGoing} onClick={() => void go()}>
        {isGoing ? 'Redirecting...' : label}
      </Button>
    </>
  )
}
