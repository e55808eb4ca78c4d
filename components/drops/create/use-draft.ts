'use client'

import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { arrivedFiles } from '@/lib/client/arrived-files'
import { lightPhoto } from '@/lib/client/light-photo'
import { type CreateDropForm, emptyCreateDropForm } from '@/lib/drops/schema'
import { newId } from '@/lib/kernel/id'
import type { PlanRules } from '@/lib/plans/rules'
import { draftStore } from './draft-store'
import type { PhotoQueue } from './photo-queue'
import { toPicture } from './to-picture'

/**
 * The fields that are kept as text. Pictures are kept separately, and a digital file cannot be kept. Keys are not kept,
 * because they are secrets and other people may use this browser.
 */
type Texts = Omit<CreateDropForm, 'idempotencyKey' | 'images' | 'digitalFile' | 'keys'>

type Restored = { lostPictures: number }

/** Values of the seller's last drop with which a new form begins. */
export type LastChoices = Partial<
  Pick<
    CreateDropForm,
    | 'productType'
    | 'condition'
    | 'duration'
    | 'shipsFrom'
    | 'shipsWithin'
    | 'shippingNote'
    | 'maxPerBuyer'
    | 'shippingZones'
  >
>

/**
 * Returns a form with only the choices of the last drop, and with its own idempotency key, so that sending it several
 * times creates only one drop.
 */
export const newCreateDropForm = (last: LastChoices): CreateDropForm => ({
  ...emptyCreateDropForm,
  ...last,
  idempotencyKey: newId('form'),
})

const textsOf = ({ idempotencyKey, images: _i, digitalFile: _f, keys: _k, ...values }: CreateDropForm) => ({
  key: idempotencyKey,
  values: values satisfies Texts,
})

const textNames = Object.keys(textsOf(emptyCreateDropForm).values) as (keyof Texts)[]

/** Returns the texts that differ from those of a new form. */
function typedIn(form: CreateDropForm, last: LastChoices): Partial<Texts> {
  const fresh = { ...emptyCreateDropForm, ...last }
  const names = textNames.filter((name) => form[name] !== fresh[name])
  return Object.fromEntries(names.map((name) => [name, form[name]]))
}

/**
 * Keeps the texts and pictures of the form in this browser until the drop is published or the seller starts over. After
 * a reload or in a new tab, only a digital file and keys are missing. Pictures that the browser could not keep are
 * counted in `restored.lostPictures`.
 */
export function useDraft(
  { getValues, setValue, subscribe, reset }: UseFormReturn<CreateDropForm>,
  userId: number,
  productTypes: PlanRules['productTypes'],
  last: LastChoices,
  queue: PhotoQueue,
) {
  const [restored, setRestored] = useState<Restored | null>(null)
  // Nothing is stored before the draft has been read, because that would overwrite the draft.
  const isLoaded = useRef(false)

  useEffect(() => {
    let isCurrent = true
    void draftStore.load<Partial<Texts>>(userId).then((draft) => {
      if (!isCurrent) return
      const { images } = getValues()
      // What the seller has typed in the meantime takes precedence over the draft.
      const typed = typedIn(getValues(), last)
      if (draft) {
        const { values } = textsOf({ ...emptyCreateDropForm, ...draft.values, ...typed })
        // The seller's plan may have changed since the draft was stored.
        if (!productTypes.includes(values.productType)) values.productType = emptyCreateDropForm.productType
        if (draft.key) setValue('idempotencyKey', draft.key)
        for (const name of textNames) setValue(name, values[name])
        for (const file of draft.pictures) {
          const key = draft.sent[draftStore.photoMark(file)]
          if (key) void queue.restore(file, key)
        }
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
  }, [userId, productTypes, last, queue, getValues, setValue])

  useEffect(
    () =>
      queue.subscribe(() => {
        if (!isLoaded.current || ![...queue.read().values()].some(({ kind }) => kind === 'sent')) return
        const files = filesOf(getValues())
        void keysOf(getValues()).then((keys) =>
          draftStore.saveSent(
            userId,
            files.flatMap((file, at) => (keys[at] ? [{ file, key: keys[at] }] : [])),
          ),
        )
      }),
    [userId, queue, getValues],
  )

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name, values }) => {
          // A change without a name is a reset of the whole form.
          if (!isLoaded.current || !name || name === 'digitalFile' || name === 'keys') return
          if (name === 'images') void draftStore.savePictures(userId, textsOf(values), filesOf(values))
          else draftStore.saveTexts(userId, textsOf(values))
        },
      }),
    [userId, subscribe],
  )

  const startOver = () => {
    for (const { url } of getValues('images')) URL.revokeObjectURL(url)
    reset(newCreateDropForm(last))
    setRestored(null)
    void draftStore.forget()
  }

  return { restored, startOver }
}

/** Returns the keys of the pictures that were already sent, by their positions. */
const keysOf = ({ images }: CreateDropForm) =>
  Promise.all(images.map(async ({ file }) => arrivedFiles.get(await lightPhoto(file)) ?? null))

const filesOf = ({ images }: CreateDropForm) => images.map(({ file }) => file)
