'use client'

import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { type FormEvent, useState } from 'react'
import { PlanCard } from '@/components/plans/plan-card'
import { Button } from '@/components/ui/button'
import { type Plan, plans } from '@/lib/kernel/plan'
import { useAuthSubmit } from './use-auth-submit'

type PlanStepProps = { kind: 'signup' } | { kind: 'seller'; plan: Plan }

/**
 * Shows the two plans side by side. During sign-up, a choice creates the account, which stays free until Pro is paid
 * for (docs/product.md#how-pro-begins). For a seller who already has an account, a choice opens the dashboard, and the
 * choice of Pro also opens the upgrade dialog there.
 */
export function PlanStep(props: PlanStepProps) {
  const [chosen, setChosen] = useState<Plan>()
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const { submit, isLeaving } = useAuthSubmit({ redirectTo: '/' })
  const isSubmitting = isSending || isLeaving
  const isSignup = props.kind === 'signup'

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null
    const plan = plans.find((one) => one === button?.value) ?? 'free'
    setChosen(plan)
    if (isSignup) void createAccount(plan)
    else window.location.assign(plan === 'pro' ? '/?upgrade=true' : '/')
  }

  async function createAccount(plan: Plan) {
    setIsSending(true)
    setProblem(undefined)
    const refused = await submit('signup-draft/complete', { plan })
    setProblem(refused?.general ?? refused?.username ?? refused?.email)
    setIsSending(false)
  }

  const labelOf = (plan: Plan) => {
    if (isSubmitting && chosen === plan) return 'Creating Account...'
    if (!isSignup) return props.plan === plan ? 'Your plan' : plan === 'pro' ? 'Upgrade to Pro' : 'Stay on Free'
    return plan === 'pro' ? 'Start with Pro' : 'Start free'
  }
  const back = isSignup ? '/signup' : '/'
  return (
    <main className="grid gap-6">
      <Button asChild variant="ghost" size="icon" className="-ms-3 justify-self-start">
        <Link href={back} aria-label={isSignup ? 'Back to sign up' : 'Back to home'}>
          <ArrowLeft aria-hidden />
        </Link>
      </Button>
      <div>
        <h1 className="text-4xl font-extrabold">Choose Your Plan</h1>
        <p className="mt-1 text-muted">
          {isSignup
            ? 'You can change your plan anytime. You pay for Pro after your account is ready.'
            : 'You can change your plan anytime.'}
        </p>
      </div>
      {problem ? (
        <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 text-sm font-medium text-bad">
          {problem}{' '}
          <Link href="/signup" className="underline underline-offset-4">
            Back to sign up
          </Link>
        </p>
      ) : null}
      <form method="post" className="grid gap-6" onSubmit={choose}>
        {plans.map((plan) => (
          <PlanCard key={plan} plan={plan}>
            <Button
              type="submit"
              name="plan"
              value={plan}
              size="lg"
              variant={plan === 'pro' ? 'default' : 'outline'}
              disabled={isSubmitting || (!isSignup && props.plan === 'pro')}
            >
              {labelOf(plan)}
            </Button>
          </PlanCard>
        ))}
      </form>
    </main>
  )
}
