import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import type { DropImageView } from '@/lib/drops/view'

type DropImageProps = {
  image: DropImageView
  alt: string
  sizes: string
  /** True for the first picture of a page, which is fetched at once. */
  isHero?: boolean
  /**
   * False for pictures below the first view: they load before they are seen, so their blur would only make the page
   * larger.
   */
  hasBlur?: boolean
  className?: string
}

/** A stored picture in the width that the screen needs. Its blur is shown until it has loaded. */
export function DropImage({ image, alt, sizes, isHero = false, hasBlur = true, className }: DropImageProps) {
  const blur: CSSProperties = {
    backgroundImage: `url(${image.placeholder})`,
    backgroundSize: 'cover',
    backgroundPosition: 'center',
  }
  return (
    // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
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
