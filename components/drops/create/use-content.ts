'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { newId } from '@/lib/kernel/id'
import type { PlanRules } from '@/lib/plans/rules'
import { forgetDraft, loadDraft, saveDraftPictures, saveDraftTexts } from './draft-store'
import { type Content, emptyValues, type Picture, type Values } from './form-values'

export const toPicture = (file: File): Picture => ({ id: newId('pic'), file, url: URL.createObjectURL(file) })

const emptyContent = (): Content => ({ key: newId('form'), values: emptyValues, pictures: [], digitalFile: null })

type Restored = { lostPictures: number }

/** Returns the values that differ from the empty form. */
function typedIn(values: Values): Partial<Values> {
  const entries = Object.entries(values) as [keyof Values, Values[keyof Values]][]
  return Object.fromEntries(entries.filter(([name, value]) => value !== emptyValues[name]))
}

/**
 * Holds the content of the form and keeps it in this browser until it is published. A reload, a closed tab or a failed
 * upload loses only a digital file, because browsers do not give a picked file back.
 */
export function useContent(userId: number, productTypes: PlanRules['productTypes']) {
  const [content, setContent] = useState(emptyContent)
  const [restored, setRestored] = useState<Restored | null>(null)
  const latest = useRef(content)
  // Nothing is stored until the draft has been read, because it would overwrite the draft.
  const isLoaded = useRef(false)

  const change = useCallback((next: Content) => {
    latest.current = next
    setContent(next)
  }, [])

  useEffect(() => {
    let isCurrent = true
    void loadDraft<Partial<Values>>(userId).then((draft) => {
      if (!isCurrent) return
      isLoaded.current = true
      // What the seller typed while the draft was loading takes precedence over the draft.
      const typed = typedIn(latest.current.values)
      const values = { ...emptyValues, ...draft?.values, ...typed }
      // The plan may have changed since the draft was stored.
      if (!productTypes.includes(values.productType)) values.productType = emptyValues.productType
      const { key, pictures: picked } = latest.current
      const pictures = [...(draft?.pictures.map(toPicture) ?? []), ...picked]
      if (draft) change({ ...latest.current, key: draft.key ?? key, values, pictures })
      if (draft) setRestored({ lostPictures: draft.lostPictures })
      if (Object.keys(typed).length > 0) saveDraftTexts(userId, { ...latest.current, values })
      const files = pictures.map(({ file }) => file)
      if (picked.length > 0) void saveDraftPictures(userId, { ...latest.current, values }, files)
    })
    return () => {
      isCurrent = false
    }
  }, [userId, productTypes, change])

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    const values = { ...latest.current.values, [name]: value }
    change({ ...latest.current, values })
    if (isLoaded.current) saveDraftTexts(userId, latest.current)
  }

  const setPictures = (pictures: Picture[]) => {
    const kept = new Set(pictures.map(({ url }) => url))
    for (const { url } of latest.current.pictures) if (!kept.has(url)) URL.revokeObjectURL(url)
    change({ ...latest.current, pictures })
    if (!isLoaded.current) return
    const files = pictures.map(({ file }) => file)
    void saveDraftPictures(userId, latest.current, files)
  }

  const setDigitalFile = (digitalFile: File | null) => change({ ...latest.current, digitalFile })

  const startOver = () => {
    for (const { url } of latest.current.pictures) URL.revokeObjectURL(url)
    change(emptyContent())
    setRestored(null)
    void forgetDraft()
  }

  return { content, restored, set, setPictures, setDigitalFile, startOver }
}
