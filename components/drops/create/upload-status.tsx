import { Button } from '@/components/ui/button'
import type { UploadProgress } from '@/lib/client/upload-form'

const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1)

function timeLeftText(seconds: number): string {
  if (seconds < 60) return `${seconds} s left`
  return `${Math.ceil(seconds / 60)} min left`
}

/**
 * Shows the progress of an upload as a bar and in numbers, above the button that started it. At 100% all files are
 * sent, and the request that creates the drop can no longer be canceled.
 */
export function UploadStatus({ progress, onCancel }: { progress: UploadProgress; onCancel: () => void }) {
  const { percent, secondsLeft } = progress
  const isSending = percent < 100
  return (
    <div className="absolute inset-x-0 bottom-full border-t bg-paper px-5 pt-3 md:px-0">
      <div className="grid gap-2 rounded-card border bg-surface p-3">
        {/* The row keeps its height when the button is gone, so that nothing below it moves. */}
        <div className="flex min-h-11 items-center justify-between gap-3">
          <p className="tabular text-sm font-semibold">
            {isSending ? `Uploading ${percent}%` : 'Preparing your drop…'}
            <span className="block font-normal text-muted">
              {megabytes(progress.loadedBytes)} of {megabytes(progress.totalBytes)} MB
              {secondsLeft !== null && isSending ? ` · ${timeLeftText(secondsLeft)}` : ''}
            </span>
          </p>
          {isSending ? (
            <Button variant="outline" size="sm" onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
        </div>
        {/* Progress is announced in steps, because announcing every percent would flood a screen reader. */}
        <p className="sr-only" role="status">
          {isSending ? `Uploading, ${Math.floor(percent / 25) * 25}%` : 'Preparing your drop'}
        </p>
        <progress
          value={percent}
          max={100}
          aria-label="Upload"
          className="h-2 w-full overflow-hidden rounded-full accent-ember"
        />
      </div>
    </div>
  )
}
