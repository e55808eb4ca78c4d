import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { PlanStep } from '@/components/accounts/plan-step'
import { currentSeller } from '@/lib/http/page'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'

export const metadata: Metadata = { title: 'Choose a plan' }

// Shows the plan step of a sign-up, or the plan picker of a seller (docs/product.md#choosing-a-plan-while-signing-up).
export default async function PlansPage() {
  const seller = await currentSeller()
  if (seller) return <PlanStep kind="seller" plan={seller.user.plan} />
  if (!(await signupDraftCookie.read())) redirect('/signup')
  return <PlanStep kind="signup" />
}
