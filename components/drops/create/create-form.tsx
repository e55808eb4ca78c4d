'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { cn } from '@/components/ui/class-names'
import { type CreateDropForm, createDropFormSchema } from '@/lib/drops/schema'
import type { PlanRules } from '@/lib/plans/rules'
import { BuyerLimit } from '../buyer-limit'
import { DraftNotice } from './draft-notice'
import { DurationChoice } from './duration-choice'
import { EditionChoice } from './edition-choice'
import { ErrorSummary } from './error-summary'
import { ImagePicker } from './image-picker'
import { OptionFields } from './option-fields'
import { PriceAndQuantity } from './price-and-quantity'
import { ProductFields } from './product-fields'
import { PublishBar } from './publish-bar'
import { StartChoice } from './start-choice'
import { TypeChoice } from './type-choice'
import { TypeSection } from './type-section'
import { type LastChoices, newCreateDropForm, useDraft } from './use-draft'
import { usePhotoQueue } from './use-photo-queue'
import { usePublish } from './use-publish'

type CreateFormProps = {
  userId: number
  timezone: string
  /** How many confirmed followers the seller has. */
  followers: number
  rules: Pick<PlanRules, 'productTypes' | 'hasCustomLink' | 'feeBps'>
  last: LastChoices
}

/** Shows the create form, with its sections in the order of docs/product.md#create-form. */
export function CreateForm({ userId, timezone, followers, rules, last }: CreateFormProps) {
  const [defaultValues] = useState(() => newCreateDropForm(last))
  // The values are sent as they were typed. The server normalizes them.
  const form = useForm<CreateDropForm>({
    resolver: zodResolver(createDropFormSchema, undefined, { raw: true }),
    defaultValues,
  })
  const { control, formState } = form
  const queue = usePhotoQueue(form)
  const { restored, startOver } = useDraft(form, userId, rules.productTypes, last, queue)
  const { phase, submit } = usePublish(form, queue)
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className={cn('grid gap-7 transition-opacity duration-500', phase.kind === 'success' && 'opacity-0')}
    >
      {restored ? <DraftNotice lostPictures={restored.lostPictures} onStartOver={startOver} /> : null}
      <ErrorSummary errors={formState.errors} />
      <ImagePicker control={control} queue={queue} />
      <ProductFields control={control} hasCustomLink={rules.hasCustomLink} />
      <TypeChoice control={control} productTypes={rules.productTypes} />
      <PriceAndQuantity control={control} feeBps={rules.feeBps} />
      <EditionChoice control={control} />
      <OptionFields control={control} />
      <Controller
        control={control}
        name="maxPerBuyer"
        render={({ field }) => <BuyerLimit id="maxPerBuyer" value={field.value} onChange={field.onChange} />}
      />
      <TypeSection control={control} />
      <StartChoice control={control} timezone={timezone} followers={followers} />
      <DurationChoice control={control} />
      <PublishBar
        phase={phase}
        // The button is busy from the first tap on, so that a double tap does not send the form twice.
        isBusy={formState.isSubmitting || phase.kind === 'success'}
      />
    </form>
  )
}
