'use server'

import { revalidatePath } from 'next/cache'
import { renderSVG } from 'uqr'
import { z } from 'zod/mini'
import { changePassword } from '@/lib/accounts/change-password'
import { confirmTwoFactor } from '@/lib/accounts/confirm-two-factor'
import { endDevice, endOtherDevices } from '@/lib/accounts/end-device'
import { renewRecoveryCodes } from '@/lib/accounts/renew-recovery-codes'
import {
  changePasswordSchema,
  codeSchema,
  deleteAccountSchema,
  endDeviceSchema,
  startTwoFactorSchema,
} from '@/lib/accounts/schema'
import { startTwoFactor } from '@/lib/accounts/start-two-factor'
import { stepUp } from '@/lib/accounts/step-up'
import { turnOffTwoFactor } from '@/lib/accounts/turn-off-two-factor'
import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { action } from '@/lib/http/action'
import { clearSessionCookie } from '@/lib/http/session'

const nothing = z.strictObject({})
const seller = { who: 'seller', isAlwaysOpen: true } as const

export const startTwoFactorAction = action({
  ...seller,
  input: startTwoFactorSchema,
  run: async (ctx, input) => {
    const { secret, uri } = await startTwoFactor(ctx, input)
    return { secret, qr: renderSVG(uri), uri }
  },
})

// The page is not revalidated: that would remove the recovery codes from the screen, and they are shown only once.
export const confirmTwoFactorAction = action({ ...seller, input: codeSchema, run: confirmTwoFactor })
export const renewRecoveryCodesAction = action({ ...seller, input: codeSchema, run: renewRecoveryCodes })
export const stepUpAction = action({ ...seller, input: codeSchema, run: stepUp })

export const turnOffTwoFactorAction = action({
  ...seller,
  input: codeSchema,
  run: async (ctx, input) => {
    await turnOffTwoFactor(ctx, input)
    revalidatePath('/account')
  },
})

export const changePasswordAction = action({
  ...seller,
  input: changePasswordSchema,
  run: async (ctx, input) => {
    await changePassword(ctx, input)
    revalidatePath('/account')
  },
})

export const endDeviceAction = action({
  ...seller,
  input: endDeviceSchema,
  run: async (ctx, input) => {
    await endDevice(ctx, input)
    revalidatePath('/account')
  },
})

export const endOtherDevicesAction = action({
  ...seller,
  input: nothing,
  run: async (ctx) => {
    await endOtherDevices(ctx)
    revalidatePath('/account')
  },
})

export const deleteAccountAction = action({
  ...seller,
  input: deleteAccountSchema,
  run: async (ctx, input) => {
    await deleteOwnAccount(ctx, input)
    await clearSessionCookie()
  },
})
