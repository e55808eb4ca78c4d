'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { ChevronDown } from 'lucide-react'
import type { Control } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { usePostedForm } from '@/components/ui/use-posted-form'
import { addressDetailsSchema, type BuyerDetails } from '@/lib/orders/address-schema'
import type { AddressFormView } from '@/lib/orders/view'
import { AddressFields } from './address-fields'

type ChangeAddressProps = { token: string; form: AddressFormView; canUndo: boolean }

/** Lets the buyer change the address until the order is shipped. The forms work without JavaScript. */
export function ChangeAddress({ token, form, canUndo }: ChangeAddressProps) {
  const { control, onSubmit } = usePostedForm<AddressFormView['values'], unknown>({
    resolver: zodResolver(addressDetailsSchema) as never,
    defaultValues: form.values,
  })
  return (
    <div className="mt-3 grid gap-2">
      {canUndo ? (
        <form method="post" action={`/o/${token}/undo-address`} className="grid">
          <Button type="submit" variant="outline">
            Undo the change
          </Button>
        </form>
      ) : null}
      <details className="group rounded-control border border-control/60">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-control px-4 font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden">
          Change the address
          <ChevronDown
            aria-hidden
            className="size-5 text-muted transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <form method="post" action={`/o/${token}/address`} onSubmit={onSubmit} className="grid gap-4 border-t p-4">
          {/* The fields are the same as in the checkout, whose form also has an email address. */}
          <AddressFields control={control as unknown as Control<BuyerDetails>} isRequired countries={form.countries} />
          <Button type="submit">Save the address</Button>
          <p className="text-sm text-muted">
            We&apos;ll email you and the seller. You can undo the change for ten minutes.
          </p>
        </form>
      </details>
    </div>
  )
}
