import { clsx } from 'clsx'
import { Button } from '@/components/ui/button'
import { ShareButton } from '@/components/drops/share-button'

type OwnerActionsProps = { id: number; title: string; path: string; className?: string }

/**
 * Shows buttons to manage and to share the drop. They replace the buy button for the drop's own seller, who cannot buy
 * it.
 */
export function OwnerActions({ id, title, path, className }: OwnerActionsProps) {
  return (
    <div className={clsx('flex flex-wrap gap-2 low:flex-nowrap', className)}>
      <Button asChild size="bar" className="min-w-40 flex-1 text-center low:min-w-0">
        {/* The link loads the page anew, so that this public page does not need Next's `<Link>`. */}
        <a href={`/#drop-${id}`}>Manage drop</a>
      </Button>
      <ShareButton title={title} path={path} className="min-h-13" />
    </div>
  )
}
