'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { askPasskey, endPasskeyOffer, offerPasskeys, requestPasskeyOptions } from '@/lib/client/ask-passkey'
import { failureText } from '@/lib/client/call-api'
import { whenIdle } from '@/lib/client/when-idle'
import { PasskeyButton } from './passkey-button'
import { useAuthSubmit } from './use-auth-submit'

/** How often the passkey suggestion in the username field is renewed. Its challenge expires after five minutes. */
const RENEW_MS = 4 * 60_000

type PasskeyLoginProps = { redirectTo: string; onRefused: (text: string) => void }

/**
 * Signs in without a username, by a button or, where the browser supports it, by a passkey suggested in the username
 * field.
 */
export function PasskeyLogin({ redirectTo, onRefused }: PasskeyLoginProps) {
  const { submit, isLeaving } = useAuthSubmit({ redirectTo })
  const [isAsking, setIsAsking] = useState(false)
  const [offers, setOffers] = useState(1)

  async function send(credential: object): Promise<void> {
    const refused = await submit('passkey', { credential })
    if (!refused) return
    onRefused(refused.general ?? Object.values(refused)[0] ?? '')
    // Choosing a passkey, or opening the browser's dialog, has ended the suggestion. This starts it again.
    setOffers((count) => count + 1)
  }

  const offer = useEffectEvent(async () => {
    const credential = await offerPasskeys()
    if (credential) await send(credential)
  })

  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setInterval> | undefined
    whenIdle(() => {
      if (isOver) return
      void offer()
      timer = setInterval(() => void offer(), RENEW_MS)
    })
    return () => {
      isOver = true
      clearInterval(timer)
      // Without a timer nothing was suggested yet, so the code that ends the suggestion need not be loaded.
      if (timer) void endPasskeyOffer()
    }
  }, [offers])

  async function press(): Promise<void> {
    setIsAsking(true)
    try {
      const asked = await askPasskey(await requestPasskeyOptions('login'))
      if (asked.ok) return await send(asked.credential)
      onRefused(asked.text)
      setOffers((count) => count + 1)
    } catch (error) {
      onRefused(failureText(error))
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <PasskeyButton size="lg" disabled={isAsking || isLeaving} onClick={() => void press()}>
      {isLeaving ? 'Signing In...' : 'Use a passkey'}
    </PasskeyButton>
  )
}
