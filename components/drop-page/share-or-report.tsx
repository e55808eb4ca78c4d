import { ShareButton } from '@/components/drops/share-button'

/** Shows the button that shares the drop and the link that reports it. */
export function ShareOrReport({ title, path }: { title: string; path: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <ShareButton title={title} path={path} />
      <a
        href={`${path}/report`}
        rel="nofollow"
        className="inline-flex min-h-11 items-center text-sm text-muted underline underline-offset-4"
      >
        Report this drop
      </a>
    </div>
  )
}
