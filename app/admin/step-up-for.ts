import type { StepUpActions } from '@/components/accounts/step-up-form'
import type { UserActor } from '@/lib/kernel/actor'
import { passkeyStepUpAction, passwordStepUpAction, startPasskeyStepUpAction, stepUpAction } from './actions'

/**
 * Returns the ways in which this administrator can prove who they are. The password is enough only without a second
 * factor.
 */
export function stepUpFor({ hasTwoFactor }: Pick<UserActor, 'hasTwoFactor'>): StepUpActions {
  return {
    withCode: stepUpAction,
    startPasskey: startPasskeyStepUpAction,
    withPasskey: passkeyStepUpAction,
    withPassword: hasTwoFactor ? undefined : passwordStepUpAction,
  }
}
