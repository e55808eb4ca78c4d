import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import type { DropImageView } from '@/lib/drops/view'

type DropImageProps = {
  image: DropImageView
  alt: string
  sizes: string
  /** The first picture of a page: fetched at once. */
  isHero?: boolean
  /** Below the first view a picture is there before it is seen: its blur would only make the page heavier. */
  hasBlur?: boolean
  className?: string
}

/** A stored picture in the width the screen needs, over its own blur until it is there. */
export function DropImage({ image, alt, sizes, isHero = false, hasBlur = true, className }: DropImageProps) {
  const blur: CSSProperties = {
    backgroundImage: `url(${image.placeholder})`,
    backgroundSize: 'cover',
    backgroundPosition: 'center',
  }
  return (
    // eslint-disable-next-line @next/next/no-img-element -- our pictures come in ready-made widths
    <img
      src={image.src}
      srcSet={image.srcSet}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={alt}
      decoding="async"
      loading={isHero ? 'eager' : 'lazy'}
      fetchPriority={isHero ? 'high' : 'auto'}
      draggable={false}
      className={clsx('size-full object-cover', className)}
      style={hasBlur ? blur : undefined}
    />
  )
}
