'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import type { FieldErrors } from 'react-hook-form'
import type { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { Textarea } from '@/components/ui/textarea'
import { usePostedForm } from '@/components/ui/use-posted-form'
import { prohibitedCategories } from '@/lib/moderation/messages'
import { trustTexts } from '@/lib/trust/messages'
import { MAX_DETAILS, reportSchema } from '@/lib/trust/schema'

type Values = z.input<typeof reportSchema>

type ReportFormProps = {
  /** The path that the form is sent to. */
  action: string
  back: { href: string; label: string }
  /** Why the server sent the form back. */
  problem: string | undefined
}

/**
 * Shows the form that reports a drop or a profile, which works without JavaScript. With JavaScript, problems are shown
 * before the form is sent.
 */
export function ReportForm({ action, back, problem }: ReportFormProps) {
  const [errors] = useState<FieldErrors<Values>>(() =>
    problem ? { category: { type: 'server', message: problem } } : {},
  )
  const { control, onSubmit } = usePostedForm({
    resolver: zodResolver(reportSchema),
    defaultValues: { details: '' },
    errors,
  })
  return (
    <form method="post" action={action} onSubmit={onSubmit} className="grid gap-5">
      <LabeledField control={control} name="category" id="category" label="What's wrong?">
        {({ value = '', ...field }) => (
          <NativeSelect {...field} value={value} required>
            <option value="" disabled>
              Please choose
            </option>
            {Object.entries(prohibitedCategories).map(([value, label]) => (
              <option key={value} value={value}>
                {label.charAt(0).toUpperCase() + label.slice(1)}
              </option>
            ))}
            <option value="other">Something else</option>
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField control={control} name="details" id="details" label={trustTexts.tellMore} optional>
        {(field) => <Textarea {...field} maxLength={MAX_DETAILS} />}
      </LabeledField>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Send report</Button>
        <Button asChild variant="ghost">
          <a href={back.href}>{back.label}</a>
        </Button>
      </div>
    </form>
  )
}
