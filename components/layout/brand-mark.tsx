import { brand } from '@/lib/kernel/brand'
import { clsx } from 'clsx'

/** The product name with its fuse: a line below it that is partly burnt down. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <span
      className={clsx(
        'inline-block font-display whitespace-nowrap text-xl leading-none font-extrabold tracking-tight',
        className,
      )}
    >
      {brand.name}
      <span aria-hidden className="mt-1 flex h-[3px] w-full overflow-hidden rounded-full bg-line">
        <span className="h-full w-3/5 rounded-full bg-ember" />
      </span>
    </span>
  )
}
