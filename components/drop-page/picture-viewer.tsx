'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import Lightbox from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import type { DropImageView } from '@/lib/drops/view'

type PictureViewerProps = {
  images: DropImageView[]
  altOf: (position: number) => string
  index: number
  onShown: (position: number) => void
  onClosed: () => void
}

/** Returns the widths of a picture, read from its srcset, in the form that the viewer expects. */
function widthsOf(image: DropImageView): { src: string; width: number; height: number }[] {
  return image.srcSet.split(', ').map((entry) => {
    const [src = image.src, size = ''] = entry.split(' ')
    const width = Number.parseInt(size, 10) || image.width
    return { src, width, height: Math.round((width * image.height) / image.width) }
  })
}

/**
 * Shows all pictures in full screen, with swiping, arrows and zoom. The viewer adds an entry to the browser history, so
 * that the phone's back button closes the viewer and not the page.
 */
export function PictureViewer({ images, altOf, index, onShown, onClosed }: PictureViewerProps) {
  const hasHistoryEntry = useRef(false)
  // Only the initial index is passed on, because the viewer keeps track of its own position.
  const [start] = useState(index)
  const closed = useRef(onClosed)
  useEffect(() => {
    closed.current = onClosed
  })

  useEffect(() => {
    // This must run only once, but React runs effects twice in development.
    if (!hasHistoryEntry.current) window.history.pushState(null, '')
    hasHistoryEntry.current = true
    const close = () => closed.current()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [])

  const stepBack = useCallback(() => window.history.back(), [])
  useEffect(() => {
    // The viewer hears keys only while it has the focus. After its last button, Tab leaves the page, and the focus is
    // nowhere.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.activeElement === document.body) stepBack()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [stepBack])
  // The slides are created once. New slides, even equal ones, would send the viewer back to the picture that it opened
  // with.
  const [slides] = useState(() =>
    images.map((image, position) => {
      const srcSet = widthsOf(image)
      const src = srcSet.at(-1)?.src ?? image.src
      return { src, alt: altOf(position), width: image.width, height: image.height, srcSet }
    }),
  )

  return (
    <Lightbox
      open
      close={stepBack}
      index={start}
      slides={slides}
      plugins={[Zoom]}
      carousel={{ finite: true, preload: 1, padding: 0 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      zoom={{ scrollToZoom: true, maxZoomPixelRatio: 2 }}
      on={{ view: ({ index: position }) => onShown(position) }}
      labels={{ Lightbox: 'Photos, full screen', Previous: 'Previous photo', Next: 'Next photo', Close: 'Close' }}
      render={slides.length > 1 ? {} : { buttonPrev: () => null, buttonNext: () => null }}
      styles={{ root: { '--yarl__color_backdrop': 'rgb(0 0 0 / 0.94)' } }}
    />
  )
}
