import { later } from '@/components/checkout/payment-result'
import { ApiError, callApi } from '@/lib/client/call-api'
import { newId } from '@/lib/kernel/id'
import { SECOND_MS } from '@/lib/kernel/time'
import type { SelectedVariants } from '@/lib/checkout/schema'

/** What the drop page offers when the buyer taps. */
export type WalletOffer = {
  dropId: number
  quantity: number
  selectedVariants?: SelectedVariants
  code?: string
  early?: string
  /** The country that the order is shipped to, and the surcharge for it in cents, which `amountCents` includes. */
  country?: string
  shippingCents: number
  /** What is bought, as the sheet of the wallet shows it. */
  label: string
  /** The price of all units and the surcharge, without the discount of the code. */
  amountCents: number
  isPhysical: boolean
}
type WalletPayment = { clientSecret: string; amountCents: number }

/** One tap on a wallet's button, and the units that it holds. */
export type WalletTap = {
  /** The name of this tap, by which our server recognizes it when its units are released. */
  id: string
  offer: WalletOffer
  /** The time of the tap, by performance.now(). */
  startedAt: number
  /** Our server's response: the units are held, and the payment is open. */
  payment: Promise<WalletPayment>
  /** The id of the payment as soon as it is known. */
  paymentIntentId: string | null
  /** Ends the call for the units. */
  stop: () => void
  /** The amount that the sheet shows. */
  amountCents: number
  /** `paying` begins when the payment is sent to the bank. From then on the buyer cannot cancel it. */
  stage: 'open' | 'paying' | 'declined'
  /** Whether the units were released or are being released. */
  isReleased: boolean
}

/**
 * After this time a call for units counts as lost. The call and the check before the payment must together take less
 * than 20 seconds, because a sheet closes by itself after about half a minute.
 */
const START_MS = 8 * SECOND_MS
const CANCEL_MS = 3 * SECOND_MS
/** For how long the units of a tap whose response came too late are kept for the next tap. */
const KEEP_MS = 30 * SECOND_MS

/**
 * The units that this page holds for payments by wallet. They outlive the buttons, which are drawn again in another
 * place when the phone is rotated.
 */
export class WalletUnits {
  /** The current tap, until its units are released, paid or kept for the next tap. */
  tap: WalletTap | null = null
  /** The previous tap, whose units are held until our server responds to the current one. */
  private earlier: WalletTap | null = null
  private kept: { tap: WalletTap; timer: ReturnType<typeof setTimeout> } | null = null
  /** The taps whose sheet was closed before our server responded. Their units are released after the response. */
  private readonly closing = new Set<WalletTap>()
  /** The calls that the next tap waits for, at most CANCEL_MS: the release of earlier units, and prepare(). */
  private leaving: Promise<unknown> = Promise.resolve()

  private onReleased = (): void => undefined

  /**
   * Releases the units when the page is left.
   * @param onReleased is called when this browser holds no units of the drop anymore.
   * @returns a function that releases the units and stops listening. It is called when the component unmounts.
   */
  connect(onReleased: () => void): () => void {
    const leave = () => this.leave()
    this.onReleased = onReleased
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }

  /**
   * Makes the server set the buyer's cookie. Without the cookie, two calls at the same time would count as two buyers.
   */
  prepare(): void {
    this.leaving = Promise.all([this.leaving, settled(callApi('POST', '/api/checkout/wallet/prepare'))])
  }

  /** Requests the units from our server, or reuses a kept tap for the same order. */
  take(offer: WalletOffer): WalletTap {
    const kept = this.takeKept()
    const tap = kept && isSameOrder(kept.offer, offer) ? kept : this.start(offer)
    this.earlier = kept && kept !== tap ? kept : this.tap
    this.tap = tap
    return tap
  }

  private start(offer: WalletOffer): WalletTap {
    const { label: _label, isPhysical: _isPhysical, shippingCents: _surcharge, amountCents, ...order } = offer
    const ended = new AbortController()
    const stop = () => ended.abort()
    const id = newId('tap')
    const timer = setTimeout(stop, START_MS)
    const payment = Promise.race([this.leaving, later(CANCEL_MS)])
      .then(() =>
        callApi<WalletPayment>('POST', '/api/checkout/wallet', { ...order, tapId: id }, { signal: ended.signal }),
      )
      .finally(() => clearTimeout(timer))
    const startedAt = performance.now()
    const tap: WalletTap = {
      id,
      offer,
      startedAt,
      payment,
      paymentIntentId: null,
      stop,
      amountCents,
      stage: 'open',
      isReleased: false,
    }
    payment.then(
      ({ clientSecret }) => {
        tap.paymentIntentId = clientSecret.split('_secret_')[0] ?? null
      },
      () => undefined,
    )
    return tap
  }

  /** Keeps the units of a tap whose response came too late to open the sheet. The next tap gets them right away. */
  keep(tap: WalletTap): void {
    if (this.tap === tap) this.tap = null
    this.kept = { tap, timer: setTimeout(() => this.release(this.takeKept()), KEEP_MS) }
    // After a refusal, the next tap makes a new call.
    tap.payment.catch(() => {
      if (this.kept?.tap === tap) this.release(this.takeKept())
    })
  }

  private takeKept(): WalletTap | null {
    const { tap = null, timer } = this.kept ?? {}
    clearTimeout(timer)
    this.kept = null
    return tap
  }

  /** Releases the units of a tap. If our server refused to hold any, an earlier tap keeps its units instead. */
  release(tap: WalletTap | null): void {
    if (!tap || tap.isReleased) return
    tap.isReleased = true
    const isCurrent = this.tap === tap
    if (isCurrent) this.tap = null
    this.closing.add(tap)
    this.leaving = settled(tap.payment).then((answer) => {
      // The page was left in the meantime, and leave() has released the units.
      if (!this.closing.delete(tap)) return undefined
      if (!('error' in answer) || !isRefusal(answer.error)) return this.cancel(tap)
      if (isCurrent && !this.tap) this.tap = this.earlier
      return undefined
    })
  }

  /** Forgets units that are not held anymore, or that were paid. */
  forget(): void {
    this.tap = null
  }

  /** Releases all units, unless their payment is being made. */
  private leave(): void {
    const earlier = this.tap?.paymentIntentId ? null : this.earlier
    const closing = [...this.closing]
    this.closing.clear()
    for (const tap of [this.tap, earlier, this.takeKept(), ...closing]) {
      if (!tap || (tap.isReleased && !closing.includes(tap)) || tap.stage === 'paying') continue
      tap.isReleased = true
      if (this.tap === tap) this.tap = null
      // A call without a response is aborted, and our server then releases what it took. A browser may go on with the
      // call anyway, so cancel() below requests the release, too.
      if (!tap.paymentIntentId) tap.stop()
      this.leaving = Promise.all([this.leaving, this.cancel(tap)])
    }
  }

  private async cancel({ id, offer, paymentIntentId, startedAt }: WalletTap): Promise<void> {
    const ageMs = Math.ceil(performance.now() - startedAt)
    const body = { dropId: offer.dropId, tapId: id, ...(paymentIntentId ? { paymentIntentId } : { ageMs }) }
    const options = { keepalive: true, signal: AbortSignal.timeout(CANCEL_MS) }
    const path = '/api/checkout/wallet/cancel'
    const answer = await settled(callApi<{ released: boolean } | undefined>('POST', path, body, options))
    if ('value' in answer && answer.value?.released) this.onReleased()
  }
}

/** Whether our server has refused, so that the call has taken no units. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

function isSameOrder(one: WalletOffer, other: WalletOffer): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Waits for a result, whether or not it is an error. */
export function settled<Value>(work: Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}
