import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import type { SuspensionView } from '@/lib/trust/view'

/** Says why the account is suspended, until when, and what still works. */
export function SuspensionFacts({ suspension }: { suspension: SuspensionView }) {
  return (
    <div className="grid gap-1 rounded-card border border-bad/50 bg-bad/8 p-4">
      <p className="font-bold text-bad">
        Your account is suspended
        {suspension.until ? (
          <>
            {' until '}
            <LocalTime iso={suspension.until} />
          </>
        ) : null}
      </p>
      {suspension.reason ? <p>{suspension.reason}</p> : null}
      <p className="text-sm text-muted">
        Your drops are paused. You can still ship orders, send refunds, export your data and see your payouts.
      </p>
    </div>
  )
}

/** Shows the suspension on the dashboard of its seller, with a link to the appeal. */
export function SuspensionNotice({ suspension }: { suspension: SuspensionView }) {
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-3 px-5 pt-3 pb-3">
      <SuspensionFacts suspension={suspension} />
      <Button asChild variant="outline" className="justify-self-start">
        <a href="/appeal">{suspension.hasOpenAppeal ? 'See your appeal' : 'Appeal'}</a>
      </Button>
    </div>
  )
}
