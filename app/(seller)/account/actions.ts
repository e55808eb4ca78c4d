'use server'

import { revalidatePath } from 'next/cache'
import { headers } from 'next/headers'
import { renderSVG } from 'uqr'
import { z } from 'zod/mini'
import { addPasskey } from '@/lib/accounts/passkeys/add-passkey'
import { changePassword } from '@/lib/accounts/change-password'
import { confirmTwoFactor } from '@/lib/accounts/two-factor/confirm-two-factor'
import { endDevice, endOtherDevices } from '@/lib/accounts/end-device'
import {
  addPasskeySchema,
  passkeySchema,
  removePasskeySchema,
  renamePasskeySchema,
} from '@/lib/accounts/passkeys/passkey-schema'
import { removePasskey } from '@/lib/accounts/passkeys/remove-passkey'
import { renamePasskey } from '@/lib/accounts/passkeys/rename-passkey'
import { renewRecoveryCodes } from '@/lib/accounts/two-factor/renew-recovery-codes'
import {
  changePasswordSchema,
  codeSchema,
  deleteAccountSchema,
  endDeviceSchema,
  proofSchema,
  renewCodesSchema,
  startTwoFactorSchema,
} from '@/lib/accounts/schema'
import { startPasskey } from '@/lib/accounts/passkeys/start-passkey'
import { startTwoFactor } from '@/lib/accounts/two-factor/start-two-factor'
import { stepUp } from '@/lib/accounts/step-up'
import { removeAuthenticatorApp } from '@/lib/accounts/two-factor/remove-authenticator-app'
import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { action } from '@/lib/http/action'
import { rememberDevice } from '@/lib/http/cookies/device-cookie'
import { passkeyCookie, passkeySite, takePasskeyRound } from '@/lib/http/sign-in/passkey-round'
import { finishPasskeyStepUp, startPasskeyStepUp } from '@/lib/http/sign-in/passkey-step-up'
import { clearSessionCookie } from '@/lib/http/session'

const nothing = z.strictObject({})
const forSellers = { who: 'seller', isAlwaysOpen: true } as const

export const startTwoFactorAction = action({
  ...forSellers,
  input: startTwoFactorSchema,
  run: async (ctx, input) => {
    const { secret, uri } = await startTwoFactor(ctx, input)
    return { secret, qr: renderSVG(uri), uri }
  },
})

// The next two actions do not revalidate the page, because that would remove the new recovery codes from the screen.
// The codes are shown only once.
export const confirmTwoFactorAction = action({ ...forSellers, input: codeSchema, run: confirmTwoFactor })
export const renewRecoveryCodesAction = action({ ...forSellers, input: renewCodesSchema, run: renewRecoveryCodes })
export const stepUpAction = action({ ...forSellers, input: codeSchema, run: stepUp })

export const startPasskeyStepUpAction = action({ ...forSellers, input: nothing, run: startPasskeyStepUp })
export const passkeyStepUpAction = action({ ...forSellers, input: passkeySchema, run: finishPasskeyStepUp })

export const startPasskeyAction = action({
  ...forSellers,
  input: proofSchema,
  run: async (ctx, input) => {
    const { options, waiting } = await startPasskey(ctx, input, passkeySite(await headers()))
    await passkeyCookie.write(waiting)
    return options
  },
})

// This action does not revalidate the page either, because it may return recovery codes.
export const addPasskeyAction = action({
  ...forSellers,
  input: addPasskeySchema,
  run: async (ctx, input) => {
    const sent = await headers()
    const userAgent = sent.get('user-agent') ?? ''
    return addPasskey(ctx, input, { ...(await takePasskeyRound(sent)), userAgent })
  },
})

export const renamePasskeyAction = action({
  ...forSellers,
  input: renamePasskeySchema,
  run: async (ctx, input) => {
    await renamePasskey(ctx, input)
    revalidatePath('/account')
  },
})

export const removePasskeyAction = action({
  ...forSellers,
  input: removePasskeySchema,
  run: async (ctx, input) => {
    await removePasskey(ctx, input)
    revalidatePath('/account')
  },
})

export const turnOffTwoFactorAction = action({
  ...forSellers,
  input: codeSchema,
  run: async (ctx, input) => {
    await removeAuthenticatorApp(ctx, input)
    revalidatePath('/account')
  },
})

export const changePasswordAction = action({
  ...forSellers,
  input: changePasswordSchema,
  run: async (ctx, input) => {
    await rememberDevice(await changePassword(ctx, input))
    revalidatePath('/account')
  },
})

export const endDeviceAction = action({
  ...forSellers,
  input: endDeviceSchema,
  run: async (ctx, input) => {
    await endDevice(ctx, input)
    revalidatePath('/account')
  },
})

export const endOtherDevicesAction = action({
  ...forSellers,
  input: nothing,
  run: async (ctx) => {
    await endOtherDevices(ctx)
    revalidatePath('/account')
  },
})

export const deleteAccountAction = action({
  ...forSellers,
  input: deleteAccountSchema,
  run: async (ctx, input) => {
    await deleteOwnAccount(ctx, input)
    await clearSessionCookie()
  },
})
