'use client'

import Link from 'next/link'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { describedBy, Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { toast } from '@/lib/client/toast-store'
import { planHint } from '@/lib/drops/messages'
import { DURATIONS, MAX_TITLE } from '@/lib/drops/rules'
import type { PlanRules } from '@/lib/plans/rules'
import { BuyerLimit } from '../buyer-limit'
import { Choice } from './choice'
import { DraftNotice } from './draft-notice'
import { ErrorSummary } from './error-summary'
import { type Errors, findProblem, type Problem, type Values } from './form-values'
import { ImagePicker } from './image-picker'
import { NetPerSale, PriceField } from './price-field'
import { SlugField } from './slug-field'
import { TypeSection } from './type-section'
import { UploadStatus } from './upload-status'
import { useContent } from './use-content'
import { usePublish } from './use-publish'

const typeLabels = { physical: 'Physical', digital: 'Digital', service: 'Service' } as const
const buttonTexts = {
  idle: 'Create Drop',
  uploading: 'Creating…',
  failed: 'Try Again',
  success: 'Drop Created!',
} as const
const durationHint = { 24: 'One day', 48: 'Two days', 72: 'Three days' } as const

type CreateFormProps = { userId: number; rules: Pick<PlanRules, 'productTypes' | 'hasCustomLink' | 'feeBps'> }

/** The create form, with its sections in the order of docs/product.md#create-form. */
export function CreateForm({ userId, rules }: CreateFormProps) {
  const { content, restored, set, setPictures, setDigitalFile, startOver } = useContent(userId, rules.productTypes)
  const [errors, setErrors] = useState<Errors>({})
  const mustFocus = useRef(false)
  const { phase, publish } = usePublish(refuse)
  const { values } = content

  function clear(...names: (keyof Errors)[]) {
    setErrors((current) => ({ ...current, ...Object.fromEntries(names.map((name) => [name, undefined])) }))
  }

  function change<Name extends keyof Values>(name: Name, value: Values[Name]) {
    set(name, value)
    clear(name)
  }

  function refuse(problem: Problem) {
    setErrors(problem.errors)
    mustFocus.current = true
    if (problem.toast) toast({ ...problem.toast, tone: 'bad', durationMs: 5000 })
  }

  // Errors are focused after they are rendered. A refusal by the server may be drawn later than the next frame.
  useEffect(() => {
    if (!mustFocus.current) return
    mustFocus.current = false
    document.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]')?.focus()
  }, [errors])

  function submit(event: FormEvent) {
    event.preventDefault()
    const problem = findProblem(content)
    if (problem) return refuse(problem)
    setErrors({})
    void publish(content)
  }

  const isBusy = phase.kind === 'uploading' || phase.kind === 'success'
  return (
    <form
      noValidate
      onSubmit={submit}
      className={cn('grid gap-7 transition-opacity duration-500', phase.kind === 'success' && 'opacity-0')}
    >
      {restored ? <DraftNotice lostPictures={restored.lostPictures} onStartOver={startOver} /> : null}
      <ErrorSummary errors={errors} />
      <Field id="title" label="Product Name" error={errors.title}>
        <Input
          id="title"
          name="title"
          value={values.title}
          onChange={(event) => change('title', event.target.value)}
          maxLength={MAX_TITLE}
          autoComplete="off"
          enterKeyHint="next"
          placeholder="What is it?"
          aria-invalid={errors.title ? true : undefined}
          aria-describedby={describedBy('title', { error: Boolean(errors.title) })}
        />
      </Field>
      {rules.hasCustomLink ? (
        <SlugField
          value={values.customSlug}
          onChange={(slug) => change('customSlug', slug)}
          error={errors.customSlug}
        />
      ) : null}
      <Field id="description" label="Description" error={errors.description}>
        <Textarea
          id="description"
          name="description"
          value={values.description}
          onChange={(event) => change('description', event.target.value)}
          rows={4}
          placeholder="What makes it worth having?"
          aria-invalid={errors.description ? true : undefined}
          aria-describedby={describedBy('description', { error: Boolean(errors.description) })}
        />
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold">Product Type</legend>
        <div className={cn('grid gap-2 md:grid-cols-3', rules.productTypes.length === 3 && 'grid-cols-3')}>
          {(['physical', 'digital', 'service'] as const).map((type) => (
            <Choice
              key={type}
              name="productType"
              value={type}
              label={typeLabels[type]}
              hint={rules.productTypes.includes(type) ? undefined : planHint(type)}
              isDisabled={!rules.productTypes.includes(type)}
              isChecked={values.productType === type}
              onSelect={() => {
                change('productType', type)
                clear('digitalFile', 'digitalFileUrl')
              }}
            />
          ))}
        </div>
      </fieldset>
      <ImagePicker
        pictures={content.pictures}
        onChange={(pictures) => {
          setPictures(pictures)
          clear('images')
        }}
        error={errors.images}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <PriceField value={values.price} onChange={(price) => change('price', price)} error={errors.price} />
        <Field id="quantity" label="Quantity" error={errors.quantity}>
          <Input
            id="quantity"
            name="quantity"
            value={values.quantity}
            onChange={(event) => change('quantity', event.target.value.replace(/\D/g, '').slice(0, 7))}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            aria-invalid={errors.quantity ? true : undefined}
            aria-describedby={describedBy('quantity', { error: Boolean(errors.quantity) })}
            className="tabular"
          />
        </Field>
        <NetPerSale price={values.price} feeBps={rules.feeBps} className="col-span-full -mt-1" />
      </div>
      <BuyerLimit id="maxPerBuyer" value={values.maxPerBuyer} onChange={(limit) => change('maxPerBuyer', limit)} />
      <TypeSection
        values={values}
        digitalFile={content.digitalFile}
        errors={errors}
        onChange={change}
        onFile={(file) => {
          setDigitalFile(file)
          clear('digitalFile')
        }}
      />
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Duration</legend>
        <div className="grid grid-cols-3 gap-2">
          {DURATIONS.map((hours) => (
            <Choice
              key={hours}
              name="duration"
              value={String(hours)}
              label={`${hours}h`}
              hint={durationHint[hours]}
              isChecked={values.duration === hours}
              onSelect={() => change('duration', hours)}
            />
          ))}
        </div>
      </fieldset>
      <p className="text-center text-xs leading-relaxed text-muted">
        By creating a drop you agree to the <PolicyLink href="/terms-of-service">Terms</PolicyLink> and the{' '}
        <PolicyLink href="/privacy-policy">Privacy Policy</PolicyLink>.
      </p>
      <div
        data-bottom-bar
        className="pb-safe sticky bottom-0 z-10 -mx-5 grid gap-2 border-t bg-paper px-5 pt-3 md:relative md:mx-0 md:border-0 md:bg-transparent md:px-0"
      >
        {phase.kind === 'failed' ? (
          <p role="status" className="text-sm font-medium text-bad">
            {phase.text}. Nothing you entered is lost.
          </p>
        ) : null}
        {/* The status is added above the button, which stays in place, so that a second tap does not hit something
            else. */}
        {phase.kind === 'uploading' ? <UploadStatus progress={phase.progress} onCancel={phase.cancel} /> : null}
        <Button type="submit" variant="buy" size="large" disabled={isBusy}>
          {buttonTexts[phase.kind]}
        </Button>
      </div>
    </form>
  )
}

function PolicyLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="underline underline-offset-4 hover:text-ink">
      {children}
    </Link>
  )
}
