import 'server-only'
import type Stripe from 'stripe'

/**
 * What can happen to an account. `finish`, `review` and `leave` are steps of the owner, and Stripe takes the others.
 * `ask` requires a document by a deadline, and `restrict` requires it right away. `stop-bank` stops payouts to the
 * bank, but not transfers to the account. `announce` says which document will be required from a later day on.
 */
export type OnboardingStep =
  'finish' | 'review' | 'leave' | 'approve' | 'announce' | 'ask' | 'stop-bank' | 'restrict' | 'disconnect'

/** The information that Stripe requires from the owner of a new account before money can be sent to it. */
const FIRST_REQUIREMENTS = [
  'external_account',
  'individual.dob.day',
  'individual.first_name',
  'individual.last_name',
  'tos_acceptance.date',
]

type Due = {
  /** The requirements that are due now. */
  due?: string[]
  pending?: string[]
  disabledReason?: Stripe.Account.Requirements['disabled_reason']
  /** The deadline of the requirements in `due`, in Unix seconds. Without a deadline, they are past due right away. */
  deadline?: number
}

function requirements({ due = [], pending = [], disabledReason = null, deadline }: Due): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: deadline ?? null,
    currently_due: due,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: due,
    past_due: deadline === undefined ? due : [],
    pending_verification: pending,
  }
}

const DOCUMENT = ['individual.verification.document']

/** Returns the requirements of an account after a step. Only `ask` uses `deadline`, which is in Unix seconds. */
export function requirementsAfter(step: 'start' | OnboardingStep, deadline: number): Stripe.Account.Requirements {
  switch (step) {
    case 'start':
      return requirements({ due: FIRST_REQUIREMENTS, disabledReason: 'requirements.past_due' })
    case 'review':
      return requirements({ pending: DOCUMENT, disabledReason: 'requirements.pending_verification' })
    case 'ask':
      return requirements({ due: DOCUMENT, deadline })
    case 'stop-bank':
      return requirements({ due: ['external_account'], disabledReason: 'requirements.past_due' })
    case 'restrict':
      return requirements({ due: DOCUMENT, disabledReason: 'requirements.past_due' })
    default:
      return requirements({})
  }
}

/**
 * Returns what will be required of an account later. These requirements restrict nothing. On their day they become the
 * account's requirements (docs.stripe.com/connect/handle-verification-updates). Only `announce` uses `beginsAt`, which
 * is in Unix seconds.
 */
export function futureRequirementsAfter(
  step: 'start' | OnboardingStep,
  beginsAt: number,
): Stripe.Account.FutureRequirements {
  return requirements(step === 'announce' ? { due: DOCUMENT, deadline: beginsAt } : {})
}
