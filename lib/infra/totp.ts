import 'server-only'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { brand } from '@/lib/kernel/brand'

/** The shared secret of an authenticator app, 160 bits in base 32. */
export function newTotpSecret(): string {
  return generateSecret()
}

/** What the QR code says to an authenticator app. */
export function totpUri(secret: string, account: string): string {
  return generateURI({ issuer: brand.name, label: account, secret })
}

/** One step to either side: phones' clocks are a little off. */
const TOLERANCE_SECONDS = 30

/**
 * Checks a six-digit code.
 * @param afterStep the last time step that was accepted: a code is good once.
 * @param now the time the code is checked for.
 * @returns the accepted time step, null when the code is wrong.
 */
export function verifyTotp(secret: string, code: string, afterStep: number, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS, strategy: 'totp' })
  // otplib's own afterTimeStep throws when the last step lies ahead of the clock; the comparison is all there is to it.
  return result.valid && 'timeStep' in result && result.timeStep > afterStep ? result.timeStep : null
}
