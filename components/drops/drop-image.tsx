import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import type { DropImageView } from '@/lib/drops/view'

/** Phones load the AVIF file. Larger screens, which need more pixels, load the WebP files. */
const PHONES = '(max-width: 639px)'

type DropImageProps = {
  image: DropImageView
  alt: string
  sizes: string
  /** True for the first picture of a page, which is fetched right away. */
  isHero?: boolean
  /**
   * False for the pictures of lists. Most of them load before they are seen, so blurred versions would only make the
   * page larger.
   */
  hasBlur?: boolean
  className?: string
}

/**
 * Shows a stored picture in the width that the screen needs. Unless `hasBlur` is false, a blurred version is shown
 * until the picture has loaded.
 */
export function DropImage({ image, alt, sizes, isHero = false, hasBlur = true, className }: DropImageProps) {
  const blur: CSSProperties = {
    backgroundImage: `url(${image.placeholder})`,
    backgroundSize: 'cover',
    backgroundPosition: 'center',
  }
  const picture = (
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
  if (image.phoneSrc === null) return picture
  return (
    <picture className="contents">
      <source type="image/avif" media={PHONES} srcSet={image.phoneSrc} />
      {picture}
    </picture>
  )
}
