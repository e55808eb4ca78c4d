import { z } from 'zod/mini'
import * as passkeys from '@/lib/accounts/passkeys/passkey-schema'
import * as accounts from '@/lib/accounts/schema'
import { eventIdSchema, extendLiveDropsSchema } from '@/lib/admin/schema'
import * as checkout from '@/lib/checkout/schema'
import { confirmFollowSchema, followSchema } from '@/lib/followers/schema'
import * as addresses from '@/lib/orders/address-schema'
import * as orders from '@/lib/orders/schema'
import * as refunds from '@/lib/refunds/schema'
import * as shipping from '@/lib/shipping/schema'
import { handPaymentSchema } from '@/lib/payouts/schema'
import * as traders from '@/lib/traders/schema'
import * as trust from '@/lib/trust/schema'
import { confirmWaitlistSchema, joinWaitlistSchema } from '@/lib/waitlist/schema'
import { actions, calls } from '../support/route-table'
import type { Schema } from './make-value'

const nothing = z.strictObject({})
const FORM = 'application/x-www-form-urlencoded'

/** The input of each server action, by the name of its row in the table of routes. */
const ACTION_INPUTS: Record<string, z.ZodMiniType> = {
  '/account addPasskeyAction': passkeys.addPasskeySchema,
  '/account changePasswordAction': accounts.changePasswordSchema,
  '/account confirmTwoFactorAction': accounts.codeSchema,
  '/account deleteAccountAction': accounts.deleteAccountSchema,
  '/account endDeviceAction': accounts.endDeviceSchema,
  '/account endOtherDevicesAction': nothing,
  '/account passkeyStepUpAction': passkeys.passkeySchema,
  '/account removePasskeyAction': passkeys.removePasskeySchema,
  '/account renamePasskeyAction': passkeys.renamePasskeySchema,
  '/account renewRecoveryCodesAction': accounts.renewCodesSchema,
  '/account startPasskeyAction': accounts.proofSchema,
  '/account startPasskeyStepUpAction': nothing,
  '/account startTwoFactorAction': accounts.startTwoFactorSchema,
  '/account stepUpAction': accounts.codeSchema,
  '/account turnOffTwoFactorAction': accounts.codeSchema,
  '/account/seller saveSellerDetailsAction': traders.sellerDetailsSchema,
  '/account/seller saveTaxRatesAction': traders.taxRatesSchema,
  '/admin approveReviewAction': trust.approveReviewSchema,
  '/admin clearProfileAction': trust.clearProfileSchema,
  '/admin decideAppealAction': trust.decideAppealSchema,
  '/admin extendLiveDropsAction': extendLiveDropsSchema,
  '/admin keepProfileAction': trust.keepProfileSchema,
  '/admin passkeyStepUpAction': passkeys.passkeySchema,
  '/admin recordHandPaymentAction': handPaymentSchema,
  '/admin recordHandRefundAction': refunds.handRefundSchema,
  '/admin rejectReviewAction': trust.rejectReviewSchema,
  '/admin replayEventAction': eventIdSchema,
  '/admin startPasskeyStepUpAction': nothing,
  '/admin passwordStepUpAction': accounts.startTwoFactorSchema,
  '/admin stepUpAction': accounts.codeSchema,
  '/appeal submitAppealAction': trust.appealSchema,
  '/orders answerDisputeAction': refunds.answerDisputeSchema,
  '/orders applyTrackingAction': shipping.trackingFileSchema,
  '/orders declineRefundAction': refunds.declineRefundSchema,
  '/orders markDeliveredAction': shipping.completeOrderSchema,
  '/orders markShippedAction': shipping.markShippedSchema,
  '/orders noteSlipsPrintedAction': shipping.noteSlipsSchema,
  '/orders previewTrackingAction': shipping.trackingFileSchema,
  '/orders proposeShipDayAction': shipping.proposeShipDaySchema,
  '/orders refundOrderAction': refunds.refundOrderSchema,
  '/orders voidKeyAction': orders.voidKeySchema,
}

/** The forms that pages post without JavaScript. The OpenAPI document describes only the API. */
const FORM_INPUTS: Record<string, z.ZodMiniType> = {
  'POST /drop/[identifier]/buy': checkout.buyFormSchema,
  'POST /drop/[identifier]/remind': joinWaitlistSchema,
  'POST /profile/[username]/follow': followSchema,
  'POST /claim/[token]/buy': checkout.claimFormSchema,
  'POST /appeal/send': trust.appealSchema,
  'POST /confirm-email/send': accounts.confirmEmailSchema,
  'POST /find-order/send': orders.findOrderSchema,
  'POST /forgot-password/send': accounts.forgotSchema,
  'POST /forgot-username/send': accounts.forgotSchema,
  'POST /login/send': z.strictObject({ identifier: z.string(), password: z.string() }),
  'POST /plans/send': accounts.planStepSchema,
  'POST /reset-password/send': z.strictObject({ newPassword: z.string(), confirmation: z.string() }),
  'POST /signup/send': z.strictObject({
    firstName: z.string(),
    lastName: z.string(),
    username: z.string(),
    email: z.string(),
    password: z.string(),
  }),
  'POST /two-factor/send': accounts.codeSchema,
  'POST /o/[token]/address': addresses.typedAddressSchema,
  'POST /o/[token]/arrived': nothing,
  'POST /o/[token]/delay': z.omit(shipping.answerDelaySchema, { token: true }),
  'POST /o/[token]/download': nothing,
  'POST /o/[token]/keys': nothing,
  'POST /o/[token]/undo-address': nothing,
  'POST /o/[token]/write': z.strictObject({ about: z.enum(['refund', 'message']), text: z.string() }),
  'POST /api/follow/confirm': confirmFollowSchema,
  'POST /api/waitlist/confirm': confirmWaitlistSchema,
}

const toJson = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** Returns the schema of each action's input. @throws when an action of the table of routes has none here. */
export function listActionInputs(): Record<string, Schema> {
  const missing = Object.keys(actions).filter((name) => !ACTION_INPUTS[name])
  if (missing.length > 0) throw new Error(`tests/fuzz/list-inputs.ts has no input for ${missing.join(', ')}.`)
  return Object.fromEntries(Object.entries(ACTION_INPUTS).map(([name, schema]) => [name, toJson(schema)]))
}

/**
 * Returns the fields of each form, by the name of the call in the table of routes.
 * @throws when a form of the table of routes has none here.
 */
export function listFormInputs(): Record<string, { bodies: { type: string; schema: Schema }[]; query: string[] }> {
  const missing = Object.keys(calls).filter((name) => /^POST \/(?!(?:api|sandbox)\/)/.test(name) && !FORM_INPUTS[name])
  if (missing.length > 0) throw new Error(`tests/fuzz/list-inputs.ts has no form for ${missing.join(', ')}.`)
  return Object.fromEntries(
    Object.entries(FORM_INPUTS).map(([name, schema]) => [
      name,
      { bodies: [{ type: FORM, schema: toJson(schema) }], query: [] },
    ]),
  )
}
