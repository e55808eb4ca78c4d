'use client'

import { useSyncExternalStore } from 'react'
import { browserTimeZone } from '@/lib/client/browser-time-zone'

const never = () => () => {}

/** A hidden field of a form with the browser's time zone. Without JavaScript it stays empty. */
export function TimezoneField() {
  const timezone = useSyncExternalStore(never, browserTimeZone, () => '')
  return <input type="hidden" name="timezone" value={timezone} />
}
