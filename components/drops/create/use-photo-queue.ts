'use client'

import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { CreateDropForm } from '@/lib/drops/schema'
import { createPhotoQueue, type PhotoQueue } from './photo-queue'

/** Sends the photos of the form while the seller types, and again when the connection is back. */
export function usePhotoQueue({ getValues, subscribe }: UseFormReturn<CreateDropForm>): PhotoQueue {
  const [queue] = useState(createPhotoQueue)
  useEffect(() => {
    let known = getValues('images')
    queue.follow(known)
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: ({ values: { images } }) => {
        if (images === known) return
        known = images
        queue.follow(images)
      },
    })
    window.addEventListener('online', queue.retry)
    return () => {
      unsubscribe()
      window.removeEventListener('online', queue.retry)
      queue.follow([])
    }
  }, [queue, getValues, subscribe])
  return queue
}
