'use client'

import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { whenIdle } from '@/lib/client/when-idle'
import type { DropImageView } from '@/lib/drops/view'
import { DropImage } from '@/components/drops/drop-image'

// The script of the viewer is loaded only when a picture is opened.
const PictureViewer = dynamic(() => import('./picture-viewer').then((file) => file.PictureViewer), { ssr: false })

type GalleryProps = { images: DropImageView[]; title: string; isDimmed?: boolean }

/**
 * The width of a picture on the page. For phones, the stated width is smaller than the real one, so that every phone
 * loads the file that is 750 pixels wide. That file has at least 1.7 pixels for each CSS pixel. The next file is two to
 * three times as large, and on a screen this small the difference is hardly visible. The viewer shows larger files.
 */
const SIZES = '(min-width: 768px) 52vw, (min-resolution: 2.5dppx) 57vw, 90vw'

/** A swipe longer than this changes the picture; a shorter one springs back (docs/product.md#gallery). */
const SWIPE_PX = 50

export function Gallery({ images, title, isDimmed = false }: GalleryProps) {
  const [viewport, embla] = useEmblaCarousel({
    // The carousel listens on the whole section, so that a swipe that starts on an arrow also works. The track is named
    // here because it is not a direct child of the section.
    container: '[data-gallery-track]',
    loop: false,
    watchDrag: images.length > 1,
    // Embla moves the pictures by script, so the style sheet's rule for reduced motion does not stop it.
    breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
  })
  const index = useShownIndex(embla)
  const show = useScrollTo(embla)
  const [isViewerOpen, setIsViewerOpen] = useState(false)
  // At first only the first picture is loaded, so that it gets the whole bandwidth. Browsers would fetch its neighbors
  // right away, even with lazy loading.
  const [isSettled, setIsSettled] = useState(false)
  // The carousel measures the page, which is slow. It starts in a separate task, so that it does not delay hydration.
  const [isAwake, setIsAwake] = useState(false)
  const altOf = (position: number) => (position === 0 ? title : `${title}, photo ${position + 1}`)

  useEffect(() => whenIdle(() => setIsSettled(true)), [])
  useEffect(() => {
    const task = setTimeout(() => setIsAwake(true))
    return () => clearTimeout(task)
  }, [])
  return (
    <section
      ref={isAwake ? viewport : null}
      aria-label="Photos"
      aria-roledescription="carousel"
      className="relative self-start"
    >
      <div className="overflow-hidden md:rounded-card">
        <div data-gallery-track className="flex touch-pan-y">
          {images.map((image, position) => (
            <Slide
              key={image.src}
              image={image}
              alt={altOf(position)}
              place={`${position + 1} of ${images.length}`}
              isShown={position === index}
              isHero={position === 0}
              isFetched={position === 0 || isSettled}
              isDimmed={isDimmed}
              onOpen={() => setIsViewerOpen(true)}
            />
          ))}
        </div>
      </div>
      {images.length > 1 ? (
        <>
          <GalleryButton side="left" isShown={index > 0} onClick={() => show(index - 1)} />
          <GalleryButton side="right" isShown={index < images.length - 1} onClick={() => show(index + 1)} />
          <p
            aria-live="polite"
            className="tabular absolute end-3 bottom-3 rounded-full bg-black/65 px-2.5 py-1 text-xs font-semibold text-white"
          >
            <span className="sr-only">Photo </span>
            {index + 1}/{images.length}
          </p>
        </>
      ) : null}
      {isViewerOpen ? (
        <PictureViewer
          images={images}
          altOf={altOf}
          index={index}
          onShown={(position) => embla?.scrollTo(position, true)}
          onClosed={() => setIsViewerOpen(false)}
        />
      ) : null}
    </section>
  )
}

/**
 * Returns the position of the picture in view. A swipe of more than SWIPE_PX moves to the next or previous picture.
 * After a shorter swipe, the picture springs back. The finger's way is measured, because the carousel moves the picture
 * a little farther than the finger.
 */
function useShownIndex(embla: UseEmblaCarouselType[1]): number {
  const [index, setIndex] = useState(0)
  useEffect(() => {
    if (!embla) return
    let startedX = 0
    let x = 0
    let startedOn = 0
    // Only the first of several fingers counts.
    const follow = (event: PointerEvent) => {
      if (event.isPrimary) x = event.clientX
    }
    const begin = (event: PointerEvent) => {
      if (!event.isPrimary) return
      startedX = x = event.clientX
      startedOn = embla.selectedScrollSnap()
    }
    const onSelect = () => setIndex(embla.selectedScrollSnap())
    const onPointerUp = () => {
      const moved = startedX - x
      if (Math.abs(moved) > SWIPE_PX) embla.scrollTo(startedOn + Math.sign(moved))
      else embla.scrollTo(startedOn)
    }
    const listening = new AbortController()
    const early = { capture: true, signal: listening.signal }
    embla.rootNode().addEventListener('pointerdown', begin, early)
    // A mouse may leave the picture while its button is pressed.
    for (const type of ['pointermove', 'pointerup'] as const) window.addEventListener(type, follow, early)
    embla.on('select', onSelect).on('pointerUp', onPointerUp)
    return () => {
      listening.abort()
      embla.off('select', onSelect).off('pointerUp', onPointerUp)
    }
  }, [embla])
  return index
}

/** Returns a function that moves to a picture. A press before the carousel has started moves when it starts. */
function useScrollTo(embla: UseEmblaCarouselType[1]): (index: number) => void {
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    if (embla && wanted.current !== null) embla.scrollTo(wanted.current)
    wanted.current = null
  }, [embla])
  return (index) => {
    if (embla) embla.scrollTo(index)
    else wanted.current = index
  }
}

type SlideProps = {
  image: DropImageView
  alt: string
  /** The position as a string, such as "2 of 5". */
  place: string
  isShown: boolean
  isHero: boolean
  /** False while only the first picture is loaded. */
  isFetched: boolean
  isDimmed: boolean
  onOpen: () => void
}

function Slide({ image, alt, place, isShown, isHero, isFetched, isDimmed, onOpen }: SlideProps) {
  return (
    // On a phone the height of the picture leaves room for title, price, time and stock in the first view, above the
    // bottom bar.
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={place}
      className="aspect-[4/5] max-h-[max(15rem,100dvh-26.5rem)] min-w-0 flex-[0_0_100%] bg-sunken md:max-h-none low:md:max-h-[calc(100dvh-3rem)]"
    >
      {/* Without JavaScript, the link opens the picture itself. */}
      <a
        href={image.src}
        data-needs-script
        draggable={false}
        tabIndex={isShown ? 0 : -1}
        aria-label={`${alt}: view full screen`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onOpen()
        }}
        className="block size-full cursor-zoom-in -outline-offset-4"
      >
        {isFetched ? (
          <DropImage
            image={image}
            alt={alt}
            sizes={SIZES}
            isHero={isHero}
            className={clsx(isDimmed && 'opacity-60 grayscale')}
          />
        ) : null}
      </a>
    </div>
  )
}

type GalleryButtonProps = { side: 'left' | 'right'; isShown: boolean; onClick: () => void }

function GalleryButton({ side, isShown, onClick }: GalleryButtonProps) {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      onClick={onClick}
      aria-disabled={!isShown}
      aria-label={side === 'left' ? 'Previous photo' : 'Next photo'}
      className={clsx(
        'absolute top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-full bg-white/85 text-black shadow-card transition-opacity duration-150 aria-disabled:opacity-0',
        side === 'left' ? 'start-3' : 'end-3',
      )}
    >
      <Icon aria-hidden className="size-6 rtl:-scale-x-100" />
    </button>
  )
}
