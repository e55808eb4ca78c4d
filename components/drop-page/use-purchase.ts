import { useState } from 'react'
import { useUnclearPayment } from '@/components/checkout/use-unclear-payment'
import { useLiveDrop } from '@/components/drops/use-live-drop'
import { orNotStarted } from '@/lib/drops/options/option-view'
import type { DropView } from '@/lib/drops/view'
import { useChosenCountry } from './use-chosen-country'
import { useChosenValue } from './use-chosen-value'
import { useDiscountCode } from './use-discount-code'
import { type EarlyAccess, useEarlyAccess } from './use-early-access'
import { useIsOwner } from './use-is-owner'
import { useOwnUnits } from './use-own-units'
import { useViewBeacon } from './use-view-beacon'

/**
 * Follows a drop and everything that this visitor has chosen, reserved or started on its page.
 * - `shown` is the drop as everyone sees it, `drop` includes the early access of a follower's link, and `offer` is what
 *   can be bought with the chosen value.
 * - `choice` has the props of the option's chips, and `buyButton` those of every button that buys.
 * @param early the follower's link in the URL of the page; null for everyone else
 */
export function usePurchase(initial: DropView, early: EarlyAccess | null) {
  const { drop: shown, refresh } = useLiveDrop(initial)
  const { drop, access, problem } = useEarlyAccess(shown, early, initial.serverTime)
  useViewBeacon(initial.identifier)
  const [quantity, setQuantity] = useState(1)
  const { offer: wanted, value, isMissing, choose, askForChoice } = useChosenValue(drop)
  const { shipping, question } = useChosenCountry(drop)
  const ownUnits = useOwnUnits(wanted, value)
  const { isMine, heldForBuyer } = ownUnits
  const offer = access === 'open' ? orNotStarted(wanted, isMine) : wanted
  const [isBlocked, setIsBlocked] = useState(false)
  const unclearPath = useUnclearPayment(drop.id)
  const isOwner = useIsOwner(drop.userId)
  const discount = useDiscountCode()
  const takesCode = (drop.hasCodes || discount.code !== '') && !isOwner && drop.state === 'live'
  const buyButton = {
    drop: offer,
    value,
    isMine,
    quantity,
    onQuantity: setQuantity,
    onRefused: refresh,
    askForChoice,
    code: takesCode ? discount.sent : undefined,
    onCodeRefused: discount.refuse,
    heldForBuyer,
    unclearPath,
    isBlocked,
    shipping,
    early: access === 'open' ? early?.token : undefined,
  }
  const choice = { chosen: value, onChoose: choose, isMissing }
  return {
    shown,
    drop,
    offer,
    access,
    problem,
    choice,
    question,
    ownUnits,
    isOwner,
    discount,
    takesCode,
    buyButton,
    setIsBlocked,
  }
}
