import { clsx } from 'clsx'

/**
 * The slot for the wallets' buttons, which WalletCheckout fills after the page has been painted. Until then it takes no
 * space, so nothing moves when no wallet is available. In the bar of a phone the buttons appear above the Buy button,
 * and on wider screens after it, so that the Buy button never moves under a finger.
 */
export function WalletSlot({ isInBar = false }: { isInBar?: boolean }) {
  return (
    <div
      data-wallet-slot
      className={clsx(
        'invisible absolute inset-x-0 data-ready:visible',
        isInBar
          ? 'bottom-full bg-paper px-4 data-ready:border-t data-ready:pt-3 max-md:low:hidden md:low:data-ready:static md:low:data-ready:min-w-40 md:low:data-ready:flex-1 md:low:data-ready:border-0 md:low:data-ready:p-0 md:low:data-ready:order-last'
          : 'data-ready:static data-ready:min-w-40 data-ready:flex-1',
      )}
    />
  )
}
