'use client'

import { ArrowLeft } from 'lucide-react'
import { Button } from '@/components/ui/button'

/** Goes to the previous page, or to the home page when there is none because a link opened a new tab. */
function goBack() {
  if (window.history.length > 1) window.history.back()
  else window.location.assign(window.location.origin)
}

export function BackButton() {
  return (
    <Button variant="outline" onClick={goBack}>
      <ArrowLeft aria-hidden />
      Back
    </Button>
  )
}
