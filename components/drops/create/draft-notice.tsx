import { Button } from '@/components/ui/button'

type DraftNoticeProps = { lostPictures: number; onStartOver: () => void }

/** Says that an unfinished drop was restored, and which parts were not. */
export function DraftNotice({ lostPictures, onStartOver }: DraftNoticeProps) {
  return (
    <div role="status" className="flex items-center justify-between gap-3 rounded-card bg-sunken py-2 pr-2 pl-4">
      <p className="py-1 text-sm text-muted">
        {lostPictures === 0
          ? 'We restored your unfinished drop.'
          : "We restored your unfinished drop. Its photos weren't saved in this browser, so please add them again."}
      </p>
      <Button variant="ghost" size="sm" onClick={onStartOver}>
        Start Over
      </Button>
    </div>
  )
}
