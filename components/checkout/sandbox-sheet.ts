import { formatUsd } from '@/lib/kernel/money'

export type WalletOptions = {
  business?: { name: string }
  shippingAddressRequired?: boolean
  allowedShippingCountries?: string[]
  buttonHeight?: number
}
export type SheetDetails = {
  lineItems?: { name: string; amount: number }[]
  allowedShippingCountries?: string[]
  shippingRates?: { id: string; amount: number; displayName: string }[]
}
type Address = {
  line1: string
  line2: string | null
  city: string
  state: string
  postal_code: string
  country: string
}

/** The behaviors of the demo wallet. The tester chooses one in the sheet, because real wallets differ. */
const BEHAVIORS = [
  ['closes', 'Closes after a decline'],
  ['stays', 'Stays open after a decline'],
  ['escapes', 'Can be closed while it pays'],
] as const
type Behavior = (typeof BEHAVIORS)[number][0]

/** What the buyer confirms in the sheet. `address` is null when no address is asked for. */
export type SheetAnswer = {
  name: string
  email: string
  phone: string
  card: string
  billingAddress: Address
  address: Address | null
}

export type SandboxSheet = {
  close: () => void
  fail: (message: string) => void
  behavior: () => Behavior
}

type Listeners = { onConfirm: (answer: SheetAnswer) => void; onCancel: () => void }

const PERSON = { name: 'Dana Demo', email: 'dana@example.com', phone: '+1 555 555 0123' }
const HOME: Address = {
  line1: '1 Demo Street',
  line2: null,
  city: 'San Francisco',
  state: 'CA',
  postal_code: '94103',
  country: 'US',
}
/** The saved addresses. The second one is refused by our server. */
const ADDRESSES: [label: string, address: Address][] = [
  ['1 Demo Street, San Francisco', HOME],
  ['1 Demo Street, without a postal code', { ...HOME, postal_code: '' }],
  [
    '2 Demostraße, Berlin',
    { ...HOME, line1: '2 Demostraße', city: 'Berlin', state: '', postal_code: '10115', country: 'DE' },
  ],
]
const CARDS: [label: string, digits: string][] = [
  ['Visa •••• 4242', '4242424242424242'],
  ['Visa •••• 0002 (is declined)', '4000000000000002'],
  ['Visa •••• 3220 (the bank asks)', '4000000000003220'],
]

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text = '') {
  const element = document.createElement(name)
  element.className = className
  element.textContent = text
  return element
}

function choice(label: string, choices: readonly string[]): { row: HTMLLabelElement; select: HTMLSelectElement } {
  const row = make('label', 'grid gap-1 text-sm font-semibold', label)
  const select = make(
    'select',
    'h-11 w-full rounded-control border border-control bg-surface px-3 text-base font-normal',
  )
  select.append(...choices.map((text) => make('option', '', text)))
  row.append(select)
  return { row, select }
}

/** Shows the sheet of "Demo Pay": a dialog with a saved card and address, in place of the sheet of a real wallet. */
export function openSandboxSheet(
  options: WalletOptions,
  details: SheetDetails,
  amountCents: number,
  { onConfirm, onCancel }: Listeners,
): SandboxSheet {
  const dialog = make(
    'dialog',
    'm-auto mb-0 grid w-full max-w-md gap-4 rounded-t-card border bg-surface p-6 text-ink shadow-card backdrop:bg-black/50 md:mb-auto md:rounded-card',
  )
  dialog.setAttribute('aria-label', 'Demo Pay')
  const card = choice(
    'Card',
    CARDS.map(([label]) => label),
  )
  const address = choice(
    'Ship to',
    ADDRESSES.map(([label]) => label),
  )
  const manner = choice(
    'This demo wallet',
    BEHAVIORS.map(([, label]) => label),
  )
  const behavior = () => BEHAVIORS[manner.select.selectedIndex]?.[0] ?? 'closes'
  const problem = make('p', 'text-sm font-medium text-bad empty:hidden')
  problem.setAttribute('role', 'alert')
  const pay = make('button', 'min-h-12 rounded-control bg-ink px-4 font-semibold text-paper disabled:opacity-60')
  const cancel = make('button', 'min-h-11 rounded-control border px-4 font-semibold', 'Cancel')
  pay.type = cancel.type = 'button'
  const setBusy = (isBusy: boolean) => {
    pay.disabled = isBusy
    cancel.disabled = isBusy && behavior() !== 'escapes'
    pay.textContent = isBusy ? 'Processing…' : `Pay ${formatUsd(amountCents)}`
  }
  setBusy(false)
  const close = () => dialog.remove()
  pay.addEventListener('click', () => {
    const shipTo = ADDRESSES[address.select.selectedIndex]?.[1] ?? HOME
    const [, digits = ''] = CARDS[card.select.selectedIndex] ?? []
    problem.textContent = ''
    const allowed = details.allowedShippingCountries ?? options.allowedShippingCountries
    if (options.shippingAddressRequired && allowed?.includes(shipTo.country) === false) {
      problem.textContent = "The seller doesn't ship to this country."
      return
    }
    setBusy(true)
    const parcel = options.shippingAddressRequired ? shipTo : null
    onConfirm({ ...PERSON, card: digits, billingAddress: HOME, address: parcel })
  })
  const leave = (event: Event) => {
    event.preventDefault()
    if (!cancel.disabled) onCancel()
  }
  cancel.addEventListener('click', leave)
  dialog.addEventListener('cancel', leave)
  dialog.append(
    make('h2', 'text-xl font-bold', `Demo Pay · ${options.business?.name ?? ''}`),
    lines(details, amountCents),
    card.row,
    ...(options.shippingAddressRequired ? [address.row] : []),
    manner.row,
    make('p', 'text-sm text-muted', `${PERSON.name}, ${PERSON.email}. This wallet is a demo. No real money moves.`),
    problem,
    pay,
    cancel,
  )
  document.body.append(dialog)
  dialog.showModal()
  pay.focus()
  return {
    close,
    behavior,
    fail: (message) => {
      setBusy(false)
      problem.textContent = message
    },
  }
}

function lines({ lineItems = [], shippingRates = [] }: SheetDetails, totalCents: number): HTMLElement {
  const list = make('dl', 'tabular grid gap-1.5')
  const add = (label: string, value: string, look = 'text-muted') => {
    const row = make('div', `flex justify-between gap-4 ${look}`)
    row.append(make('dt', '', label), make('dd', '', value))
    list.append(row)
  }
  for (const { name, amount } of lineItems) add(name, formatUsd(amount))
  for (const { displayName, amount } of shippingRates.slice(0, 1)) add(displayName, formatUsd(amount))
  add('Total', formatUsd(totalCents), 'text-lg font-bold')
  return list
}
