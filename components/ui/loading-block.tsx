import { cn } from './class-names'

type LoadingBlockProps = { text: string; className: string }

/**
 * Keeps the place of content that is loading, so that a sheet does not jump when the content arrives. The block can be
 * seen only after 300 ms, so that it does not flash when the content arrives sooner. `className` sets about its height.
 * A screen reader reads out the text.
 */
export function LoadingBlock({ text, className }: LoadingBlockProps) {
  return (
    <div className={cn('appear-late rounded-control bg-sunken', className)}>
      <p role="status" className="sr-only">
        {text}
      </p>
    </div>
  )
}
