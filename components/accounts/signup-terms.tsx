/** Says what a person agrees to by creating an account. The links open in a new tab, so that nothing typed is lost. */
export function SignupTerms() {
  return (
    <p className="text-sm text-muted">
      By creating an account you confirm that you&apos;re 18 or older and agree to the{' '}
      <a href="/terms-of-service" target="_blank" className="underline underline-offset-2">
        Terms of Service
      </a>{' '}
      and the{' '}
      <a href="/privacy-policy" target="_blank" className="underline underline-offset-2">
        Privacy Policy
      </a>
      .
    </p>
  )
}
