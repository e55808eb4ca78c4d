import { Button } from '@/components/ui/button'
import type { PhotoState } from './photo-queue'

type PhotosStatusProps = { states: PhotoState[]; onRetry: () => void }

/** Says whether the photos are already on the server, and offers to try again after a failure. */
export function PhotosStatus({ states, onRetry }: PhotosStatusProps) {
  const refused = states.find(({ text }) => text)
  const failed = states.filter(({ kind, text }) => kind === 'failed' && !text)
  return (
    <>
      {refused ? <p className="text-sm font-medium text-bad">{refused.text} Please remove this photo.</p> : null}
      {failed.length > 0 ? (
        <div className="flex items-center justify-between gap-3 rounded-control bg-warn/8 py-1.5 pe-1.5 ps-3 text-sm text-warn">
          <p>
            {failed.length === 1 ? "One photo isn't" : `${failed.length} photos aren't`} uploaded yet. We&apos;ll upload{' '}
            {failed.length === 1 ? 'it' : 'them'} when you tap Create Drop.
          </p>
          <Button variant="outline" size="sm" onClick={onRetry}>
            Upload again
          </Button>
        </div>
      ) : null}
      <p role="status" className="text-sm text-muted empty:hidden">
        {progressText(states)}
      </p>
    </>
  )
}

function progressText(states: PhotoState[]): string {
  if (states.length === 0) return ''
  if (states.some(({ kind }) => kind === 'waiting' || kind === 'sending')) return 'Uploading while you type…'
  return states.every(({ kind }) => kind === 'sent') ? 'Uploaded and ready.' : ''
}
