import { ArrowRight, Check } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/class-names'
import { brand } from '@/lib/kernel/brand'
import { ResendConfirmation } from './resend-confirmation'

type WelcomeProps = {
  firstName: string
  /** `pro` is null when the seller did not choose Pro while signing up. */
  done: { email: boolean; drop: boolean; payouts: boolean; pro: boolean | null }
}

/**
 * Lists the steps after signing up and marks those that are done
 * (docs/product.md#choosing-a-plan-while-signing-up).
 */
export function Welcome({ firstName, done }: WelcomeProps) {
  const steps = [
    {
      key: 'email',
      isDone: done.email,
      title: 'Confirm your email',
      text: "Tap the link in our email, so that we can reach you about sales and payouts. If you don't see it, send it again.",
      action: <ResendConfirmation />,
    },
    {
      key: 'drop',
      isDone: done.drop,
      title: 'Publish your first drop',
      text: 'Add a photo, a name, a description and a price. It takes about a minute.',
      action: <StepLink href="/create-drop">Create a drop</StepLink>,
    },
    {
      key: 'payouts',
      isDone: done.payouts,
      title: 'Connect payouts',
      text: "You can sell right away. We'll hold your payouts until you connect a bank account.",
      action: <StepLink href="/payouts">Connect payouts</StepLink>,
    },
    ...(done.pro === null
      ? []
      : [
          {
            key: 'pro',
            isDone: done.pro,
            title: 'Pay for Pro',
            text: 'You chose Pro. Your account stays on the free plan until you pay.',
            action: <StepLink href="/?upgrade=true">Upgrade to Pro</StepLink>,
          },
        ]),
  ]
  return (
    <main className="mx-auto grid max-w-2xl gap-6 px-5 pt-4 pb-24">
      <div>
        <h1 className="text-4xl font-extrabold">Welcome, {firstName}</h1>
        <p className="mt-1 text-lg text-muted">{brand.name} is ready for you. Here&apos;s what&apos;s left to do.</p>
      </div>
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          <li key={step.key}>
            <Card className={cn('flex gap-4 p-4', step.isDone && 'bg-transparent shadow-none')}>
              <span
                className={cn(
                  'grid size-8 shrink-0 place-items-center rounded-full border text-sm font-bold',
                  step.isDone ? 'border-good bg-good/8 text-good' : 'tabular',
                )}
              >
                {step.isDone ? <Check aria-label="Done" className="size-4" /> : index + 1}
              </span>
              <div className="grid flex-1 gap-2">
                <h2 className={cn('text-xl font-bold', step.isDone && 'text-muted')}>{step.title}</h2>
                {step.isDone ? null : (
                  <>
                    <p className="text-muted">{step.text}</p>
                    <div>{step.action}</div>
                  </>
                )}
              </div>
            </Card>
          </li>
        ))}
      </ol>
      <Button asChild variant="ghost" className="justify-self-start">
        <Link href="/">
          Go to your dashboard
          <ArrowRight aria-hidden />
        </Link>
      </Button>
    </main>
  )
}

function StepLink({ href, children }: { href: string; children: string }) {
  return (
    <Button asChild variant="outline">
      <Link href={href}>{children}</Link>
    </Button>
  )
}
