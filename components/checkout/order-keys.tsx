import { KeyRound } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyKey } from './copy-key'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerOrderView } from '@/lib/orders/view'

type OrderKeysProps = { token: string; keys: NonNullable<BuyerOrderView['keys']> }

/**
 * Shows the buyer's keys. Before the buyer has asked for them, there is only a button, because a key that was shown
 * cannot be sold to anyone else. The button is a plain form, which also works without JavaScript.
 */
export function OrderKeys({ token, keys: { shown, hidden } }: OrderKeysProps) {
  const isOne = shown.length + hidden === 1
  return (
    <Card id="keys" className="grid scroll-mt-4 gap-3 p-4">
      <h2 className="flex items-center gap-2 font-bold">
        <KeyRound aria-hidden className="size-5 text-muted" />
        {isOne ? orderTexts.keyTitle : orderTexts.keysTitle}
      </h2>
      {shown.length > 0 ? (
        <ul className="grid gap-2">
          {shown.map((key) => (
            <li key={key} className="flex items-center gap-2 rounded-control bg-sunken py-1 ps-3 pe-1">
              <code dir="auto" className="min-w-0 flex-1 py-2 font-mono wrap-anywhere whitespace-pre-wrap select-all">
                {key}
              </code>
              <CopyKey text={key} />
            </li>
          ))}
        </ul>
      ) : null}
      {hidden > 0 ? (
        <form method="post" action={`/o/${token}/keys`} className="grid gap-2">
          <p className="text-sm text-muted">{isOne ? orderTexts.keysHidden : orderTexts.keysHiddenMany}</p>
          <Button type="submit" variant="buy" size="lg">
            {isOne ? orderTexts.showKey : orderTexts.showKeys}
          </Button>
        </form>
      ) : null}
    </Card>
  )
}
