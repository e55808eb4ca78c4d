import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { UploadStatus } from './upload-status'
import type { Phase } from './use-publish'

const buttonTexts = {
  idle: 'Create Drop',
  uploading: 'Creating…',
  failed: 'Try again',
  signedOut: 'Create Drop',
  success: 'Drop Created!',
} as const

/** Shows links to the policies, and a bar at the bottom with the button and the upload's progress or failure. */
export function PublishBar({ phase, isBusy }: { phase: Phase; isBusy: boolean }) {
  return (
    <>
      <p className="text-center text-xs leading-relaxed text-muted">
        By creating a drop you agree to the <PolicyLink href="/terms-of-service">Terms</PolicyLink> and the{' '}
        <PolicyLink href="/privacy-policy">Privacy Policy</PolicyLink>.
      </p>
      <div
        data-bottom-bar
        className="pb-safe sticky bottom-0 z-10 -mx-5 grid gap-2 border-t bg-paper px-5 pt-3 md:relative md:mx-0 md:border-0 md:bg-transparent md:px-0"
      >
        {phase.kind === 'failed' ? (
          <p role="status" className="text-sm font-medium text-bad">
            {phase.text}. Everything you entered is still here.
          </p>
        ) : null}
        {phase.kind === 'signedOut' ? (
          <p role="status" className="flex items-center justify-between gap-3 text-sm font-medium text-bad">
            You&apos;re signed out. This browser keeps your form, except for keys and a digital file.
            <Button asChild variant="outline" size="sm">
              <a href="/login?redirect=/create">Sign in</a>
            </Button>
          </p>
        ) : null}
        {/* The status is above the button, so that the button keeps its place and a second tap hits nothing else. */}
        {phase.kind === 'uploading' ? <UploadStatus progress={phase.progress} onCancel={phase.cancel} /> : null}
        <Button type="submit" variant="buy" size="lg" disabled={isBusy}>
          {buttonTexts[phase.kind]}
        </Button>
      </div>
    </>
  )
}

function PolicyLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="underline underline-offset-4 hover:text-ink">
      {children}
    </Link>
  )
}
