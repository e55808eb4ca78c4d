'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { usePostedForm } from '@/components/ui/use-posted-form'
import { orderTexts } from '@/lib/orders/messages'
import { buyerMessageSchema, MAX_MESSAGE } from '@/lib/orders/schema'

const formSchema = z.pick(buyerMessageSchema, { text: true })

type HelpFormProps = { token: string; about: 'message' | 'refund'; label: string; hint: string }

/**
 * Shows a form for a message or a refund request to the seller, in a collapsed section. The form works without
 * JavaScript.
 */
export function HelpForm({ token, about, label, hint }: HelpFormProps) {
  // Emails link to "Contact the seller" on this page.
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const openForHelp = () => {
      if (about === 'message' && window.location.hash === '#help' && details.current) details.current.open = true
    }
    openForHelp()
    window.addEventListener('hashchange', openForHelp)
    return () => window.removeEventListener('hashchange', openForHelp)
  }, [about])
  const { control, onSubmit } = usePostedForm({ resolver: zodResolver(formSchema), defaultValues: { text: '' } })
  return (
    <details ref={details} className="group rounded-control border border-control/60 bg-surface">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-control px-4 font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden">
        {label}
        <ChevronDown
          aria-hidden
          className="size-5 text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <form method="post" action={`/o/${token}/write`} onSubmit={onSubmit} className="grid gap-3 border-t p-4">
        <input type="hidden" name="about" value={about} />
        <LabeledField control={control} name="text" id={`text-${about}`} label={orderTexts.yourMessage} hint={hint}>
          {(field) => <Textarea {...field} required maxLength={MAX_MESSAGE} />}
        </LabeledField>
        <Button type="submit">Send</Button>
      </form>
    </details>
  )
}
