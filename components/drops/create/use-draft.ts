'use client'

import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type CreateDropForm, emptyCreateDropForm } from '@/lib/drops/schema'
import { newId } from '@/lib/kernel/id'
import type { PlanRules } from '@/lib/plans/rules'
import { draftStore } from './draft-store'
import { toPicture } from './to-picture'

/** What is kept as text. Pictures are kept separately; a digital file cannot be kept. */
type Texts = Omit<CreateDropForm, 'idempotencyKey' | 'images' | 'digitalFile'>

type Restored = { lostPictures: number }

/** An empty form with a key of its own: however often it is sent, it makes one drop. */
export const newCreateDropForm = (): CreateDropForm => ({ ...emptyCreateDropForm, idempotencyKey: newId('form') })

const textsOf = ({ idempotencyKey, images: _images, digitalFile: _file, ...values }: CreateDropForm) => ({
  key: idempotencyKey,
  values: values satisfies Texts,
})

const textNames = Object.keys(textsOf(emptyCreateDropForm).values) as (keyof Texts)[]

/** The texts that differ from those of an empty form. */
function typedIn(form: CreateDropForm): Partial<Texts> {
  const names = textNames.filter((name) => form[name] !== emptyCreateDropForm[name])
  return Object.fromEntries(names.map((name) => [name, form[name]]))
}

/**
 * Keeps what the form holds in this browser until it is published: a reload, a closed tab or a failed upload lose nothing but
 * a digital file.
 */
export function useDraft(
  { getValues, setValue, subscribe, reset }: UseFormReturn<CreateDropForm>,
  userId: number,
  productTypes: PlanRules['productTypes'],
) {
  const [restored, setRestored] = useState<Restored | null>(null)
  // Until the draft has been read nothing is written over it.
  const isLoaded = useRef(false)

  useEffect(() => {
    let isCurrent = true
    void draftStore.load<Partial<Texts>>(userId).then((draft) => {
      if (!isCurrent) return
      const { images } = getValues()
      // What the seller has typed in the meantime takes precedence over the draft.
      const typed = typedIn(getValues())
      if (draft) {
        const { values } = textsOf({ ...emptyCreateDropForm, ...draft.values, ...typed })
        // The plan may have changed since.
        if (!productTypes.includes(values.productType)) values.productType = emptyCreateDropForm.productType
        if (draft.key) setValue('idempotencyKey', draft.key)
        for (const name of textNames) setValue(name, values[name])
        setValue('images', [...draft.pictures.map(toPicture), ...images])
        setRestored({ lostPictures: draft.lostPictures })
      }
      isLoaded.current = true
      if (Object.keys(typed).length > 0) draftStore.saveTexts(userId, textsOf(getValues()))
      if (images.length > 0) void draftStore.savePictures(userId, textsOf(getValues()), filesOf(getValues()))
    })
    return () => {
      isCurrent = false
    }
  }, [userId, productTypes, getValues, setValue])

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name, values }) => {
          // A change without a name is a reset of the whole form.
          if (!isLoaded.current || !name || name === 'digitalFile') return
          if (name === 'images') void draftStore.savePictures(userId, textsOf(values), filesOf(values))
          else draftStore.saveTexts(userId, textsOf(values))
        },
      }),
    [userId, subscribe],
  )

  const startOver = () => {
    for (const { url } of getValues('images')) URL.revokeObjectURL(url)
    reset(newCreateDropForm())
    setRestored(null)
    void draftStore.forget()
  }

  return { restored, startOver }
}

const filesOf = ({ images }: CreateDropForm) => images.map(({ file }) => file)
