import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'

type DraftNoticeProps = { lostPictures: number; onStartOver: () => void }

/**
 * Says that an unfinished drop was restored, and how many of its photos were lost. When the seller is at the plan's
 * limit, the form is collapsed, and this notice expands it.
 */
export function DraftNotice({ lostPictures, onStartOver }: DraftNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.closest('details')?.setAttribute('open', ''), [])
  return (
    <div
      ref={notice}
      role="status"
      className="flex items-center justify-between gap-3 rounded-card bg-sunken py-2 pe-2 ps-4"
    >
      <p className="py-1 text-sm text-muted">
        We restored your unfinished drop.
        {lostPictures === 0 ? '' : ` ${lostText(lostPictures)}`}
      </p>
      <Button variant="ghost" size="sm" onClick={onStartOver}>
        Start over
      </Button>
    </div>
  )
}

function lostText(count: number): string {
  return count === 1
    ? "One photo wasn't saved in this browser, so please add it again."
    : `${count} photos weren't saved in this browser, so please add them again.`
}
