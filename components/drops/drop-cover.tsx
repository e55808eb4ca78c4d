import { clsx } from 'clsx'
import { Briefcase, Download, Package } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DropView } from '@/lib/drops/view'
import { DropImage } from './drop-image'
import { Fuse } from './fuse'

const typeIcon = { physical: Package, digital: Download, service: Briefcase } as const

type DropCoverProps = { drop: DropView; isHero?: boolean; children?: ReactNode }

/** Shows the fuse, and below it the drop's first picture or, for a drop without a picture, an icon of its type. */
export function DropCover({ drop, isHero = false, children }: DropCoverProps) {
  const [image] = drop.images
  const Icon = typeIcon[drop.productType]
  const isOver = drop.state === 'ended'
  return (
    <div className="overflow-hidden rounded-card bg-sunken">
      <Fuse startedAt={drop.startedAt} endTime={drop.endTime} serverTime={drop.serverTime} isOver={isOver} />
      <div className="relative grid aspect-[4/5] place-items-center overflow-hidden">
        {image ? (
          <DropImage
            image={image}
            alt=""
            sizes="(min-width: 1024px) 22rem, (min-width: 640px) 45vw, 92vw"
            isHero={isHero}
            hasBlur={isHero}
            className={clsx('transition-transform duration-200 group-hover:scale-[1.02]', isOver && 'opacity-50')}
          />
        ) : (
          <Icon aria-hidden className="size-12 text-muted" strokeWidth={1.5} />
        )}
        {children}
      </div>
    </div>
  )
}
