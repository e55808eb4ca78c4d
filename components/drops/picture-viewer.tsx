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

/** The widths of a picture as the viewer wants them, from its srcset. */
function widthsOf(image: DropImageView): { src: string; width: number; height: number }[] {
  return image.srcSet.split(', ').map((entry) => {
    const [src = image.src, size = ''] = entry.split(' ')
    const width = Number.parseInt(size, 10) || image.width
    return { src, width, height: Math.round((width * image.height) / image.width) }
  })
}

/**
 * All pictures on the whole screen: swipe, arrows, zoom. It is a step of the browser's history, so that the phone's back
 * button closes it and not the page.
 */
export function PictureViewer({ images, altOf, index, onShown, onClosed }: PictureViewerProps) {
  const isStepTaken = useRef(false)
  // The viewer moves on by itself: only where it began counts.
  const [start] = useState(index)
  const closed = useRef(onClosed)
  useEffect(() => {
    closed.current = onClosed
  })

  useEffect(() => {
    // Once, also when React runs effects twice in development.
    if (!isStepTaken.current) window.history.pushState(null, '')
    isStepTaken.current = true
    const close = () => closed.current()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [])

  const stepBack = useCallback(() => window.history.back(), [])
  // Once: other slides, even equal ones, would send the viewer back to where it began.
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
      labels={{ Lightbox: 'Pictures, full screen', Previous: 'Previous picture', Next: 'Next picture', Close: 'Close' }}
      render={slides.length > 1 ? {} : { buttonPrev: () => null, buttonNext: () => null }}
      styles={{ root: { '--yarl__color_backdrop': 'rgb(0 0 0 / 0.94)' } }}
    />
  )
}
