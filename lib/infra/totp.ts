import 'server-only'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { brand } from '@/lib/kernel/brand'

/** Creates the shared secret of an authenticator app: 160 bits in base 32. */
export function newTotpSecret(): string {
  return generateSecret()
}

/** Returns the content of the QR code that an authenticator app scans. */
export function totpUri(secret: string, account: string): string {
  return generateURI({ issuer: brand.name, label: account, secret })
}

/** Accepts codes one step earlier or later, because the clocks of phones are slightly wrong. */
const TOLERANCE_SECONDS = 30

/**
 * Checks a six-digit code.
 * @param afterStep the last accepted time step. Codes up to this step are refused, so that a code works only once.
 * @returns the accepted time step, or null when the code is wrong or was already used
 */
export function verifyTotp(secret: string, code: string, afterStep: number, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS, strategy: 'totp' })
  // otplib's own afterTimeStep throws when the last step is ahead of the clock, so the comparison is made here.
  return result.valid && 'timeStep' in result && result.timeStep > afterStep ? result.timeStep : null
}
