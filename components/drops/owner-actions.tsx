import { clsx } from 'clsx'
import { HomeLink } from '@/components/layout/home-link'
import { Button } from '@/components/ui/button'
import { ShareButton } from './share-button'

type OwnerActionsProps = { title: string; path: string; className?: string }

/** Replaces the buy button for the drop's own seller, who cannot buy it: buttons to manage and to share the drop. */
export function OwnerActions({ title, path, className }: OwnerActionsProps) {
  return (
    <div className={clsx('flex flex-wrap gap-2', className)}>
      <Button asChild size="bar" className="min-w-28 flex-1">
        <HomeLink>Manage this drop</HomeLink>
      </Button>
      <ShareButton title={title} path={path} className="min-h-13" />
    </div>
  )
}
