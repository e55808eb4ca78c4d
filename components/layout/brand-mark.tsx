import { brand } from '@/lib/kernel/brand'
import { clsx } from 'clsx'

/** Shows the product name above a thin bar that is partly filled, like the bar of a live drop. */
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
