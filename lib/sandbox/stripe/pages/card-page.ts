import 'server-only'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { countryName } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { addPeriod } from '../billing/billing-dates'
import { formatCardNumber, TEST_CARDS } from '../payments/cards'
import type { SentFields } from './read-sent-body'
import { unixSeconds } from '../ids'
import { holdFuse } from './hold-fuse'
import { layout, type Html, type Page } from './layout'
import { needsOf, type PayFieldError, type FieldName } from './pay-fields'

export type Item = {
  name: string
  image: string | null
  quantity: number
  amountCents: number
  /** How often the price is charged again; null for a price that is charged once. */
  recurring: Stripe.Price['recurring']
}

export type CardPage = {
  session: Stripe.Checkout.Session
  items: readonly Item[]
  payUrl: string
  now: Date
  /** What the buyer typed before. The page never repeats card data. */
  sent?: SentFields
  errors?: readonly PayFieldError[]
  /** Why the card was refused. */
  refusal?: string | null
}

type Field = {
  name: FieldName
  label: string
  autocomplete: string
  isOptional?: boolean
  type?: 'text' | 'email' | 'tel'
  inputmode?: 'email' | 'numeric' | 'tel' | 'text'
  placeholder?: string
  value?: string
  isReadOnly?: boolean
  /** The options of a select, each as a code and a name. */
  options?: readonly (readonly [string, string])[]
}

/** The card data, which the page never repeats. */
const SECRET_FIELDS: readonly FieldName[] = ['cardNumber', 'expiry', 'cvc']

function fieldRow(page: CardPage, field: Field): Html {
  const error = page.errors?.find((entry) => entry.field === field.name)
  const isFirst = error !== undefined && page.errors?.[0] === error
  const typed = SECRET_FIELDS.includes(field.name) ? undefined : page.sent?.[field.name]
  const value = typed ?? field.value ?? ''
  const described = error ? html` aria-invalid="true" aria-describedby="${field.name}-error"` : ''
  const focus = isFirst ? html` autofocus` : ''
  const optional = field.isOptional ? html` <span class="optional">(optional)</span>` : ''
  const required = field.isOptional ? '' : html` aria-required="true"`
  const control = field.options
    ? html`<select
        id="${field.name}"
        name="${field.name}"
        autocomplete="${field.autocomplete}"
        ${required}${described}${focus}
      >
        ${field.options.map(([code, name]) =>
          code === value
            ? html`<option value="${code}" selected>${name}</option>`
            : html`<option value="${code}">${name}</option>`,
        )}
      </select>`
    : html`<input
        id="${field.name}"
        name="${field.name}"
        type="${field.type ?? 'text'}"
        value="${value}"
        inputmode="${field.inputmode ?? 'text'}"
        autocomplete="${field.autocomplete}"
        placeholder="${field.placeholder ?? ''}"
        maxlength="300"
        ${field.isReadOnly ? html` readonly` : ''}${required}${described}${focus}
      />`
  const message = error ? html`<p class="error" id="${field.name}-error">${error.message}</p>` : ''
  return html`<div class="field">
    <label for="${field.name}">${field.label}${optional}</label>
    ${control}${message}
  </div>`
}

function alert({ errors = [], refusal }: CardPage): Html | string {
  if (refusal) {
    return html`<div class="alert" role="alert">
      <p>${refusal}</p>
      <p class="next">You weren't charged. Enter the number again or use another card.</p>
    </div>`
  }
  if (errors.length === 0) return ''
  return html`<div class="alert" role="alert">
    <p>${errors.length === 1 ? 'Please fix 1 field' : `Please fix ${errors.length} fields`}</p>
    <ul>
      ${errors.map((error) => html`<li><a href="#${error.field}">${error.message}</a></li>`)}
    </ul>
  </div>`
}

const LOCK = html`<svg
  aria-hidden="true"
  width="20"
  height="20"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2.5"
>
  <rect x="4" y="11" width="16" height="10" rx="2" />
  <path d="M8 11V7a4 4 0 0 1 8 0v4" />
</svg>`

function itemRow({ now }: CardPage, item: Item): Html {
  const image = item.image ? html`<img src="${item.image}" alt="" width="96" height="120" />` : ''
  return html`<li class="item">
    ${image}
    <div class="grow">
      <div class="name">${item.name}</div>
      <div class="muted num">Quantity ${item.quantity}</div>
      ${item.recurring ? html`<div class="muted">${renewalText(item.recurring, now)}</div>` : ''}
    </div>
    <div class="num">${formatUsd(item.amountCents)}</div>
  </li>`
}

function renewalText(recurring: NonNullable<Item['recurring']>, now: Date): string {
  const renewsOn = new Date(addPeriod(unixSeconds(now), recurring) * 1000)
  return `Renews on ${formatDay(renewsOn, 'UTC')} and then every ${recurring.interval} until you cancel`
}

/** A date that every test card accepts, so that nobody has to make one up. */
function exampleExpiry(now: Date): string {
  return `12 / ${String((now.getUTCFullYear() + 3) % 100).padStart(2, '0')}`
}

/** The cardholder's name. For a parcel the name on it is used, so another name is asked for only on demand. */
function cardholder(page: CardPage, isParcel: boolean): Html {
  const field = { name: 'name', label: 'Name on card', autocomplete: 'cc-name', isOptional: true } as const
  if (!isParcel) return fieldRow(page, field)
  const isOpen = page.sent?.name || page.errors?.some((error) => error.field === 'name')
  return html`<details ${isOpen ? html`open` : ''}>
    <summary>The name on my card is different</summary>
    ${fieldRow(page, field)}
  </details>`
}

function shippingFields(page: CardPage, countries: readonly string[]): Html {
  const options = countries.map((code) => [code, countryName(code)] as const)
  const text = page.session.custom_text.shipping_address?.message
  return html`<fieldset class="card">
    <legend>Shipping</legend>
    ${text ? html`<p class="muted">${text}</p>` : ''}
    ${fieldRow(page, { name: 'shippingName', label: 'Full name', autocomplete: 'shipping name' })}
    ${fieldRow(page, { name: 'line1', label: 'Address line 1', autocomplete: 'shipping address-line1' })}
    ${fieldRow(page, { name: 'line2', label: 'Address line 2', autocomplete: 'shipping address-line2', isOptional: true })}
    ${fieldRow(page, { name: 'city', label: 'City', autocomplete: 'shipping address-level2' })}
    ${fieldRow(page, { name: 'state', label: 'State or region', autocomplete: 'shipping address-level1', isOptional: true })}
    ${fieldRow(page, { name: 'postalCode', label: 'Postal code', autocomplete: 'shipping postal-code' })}
    ${fieldRow(page, { name: 'country', label: 'Country', autocomplete: 'shipping country', options })}
  </fieldset>`
}

/** The stand-in's version of Stripe's hosted payment page, a plain form that needs no script. */
export function cardPage(page: CardPage): Page {
  const { session, items, payUrl, now } = page
  const needs = needsOf(session)
  const total = formatUsd(session.amount_total ?? 0)
  const interval = items.find(({ recurring }) => recurring)?.recurring?.interval
  const fuse = holdFuse(session, now)
  const note = session.custom_text.submit?.message
  const email: Field = { name: 'email', label: 'Email', type: 'email', inputmode: 'email', autocomplete: 'email' }
  const phone: Field = { name: 'phone', label: 'Phone', type: 'tel', inputmode: 'tel', autocomplete: 'tel' }
  return layout(
    `Pay ${total}`,
    html`<h1>Pay ${total}</h1>
      <p class="secure">${LOCK}<span>Secure test payment. No real card is charged.</span></p>
      ${fuse?.html ?? ''}
      <section class="card" aria-label="Your order">
        <ul class="items">
          ${items.map((item) => itemRow(page, item))}
        </ul>
        <div class="total">
          <span>Total</span><span class="num">${total} USD${interval ? ` per ${interval}` : ''}</span>
        </div>
      </section>
      ${alert(page)}
      <form method="post" action="${payUrl}" novalidate>
        <fieldset class="card">
          <legend>Contact</legend>
          ${fieldRow(page, needs.email ? { ...email, value: needs.email, isReadOnly: true } : email)}
          ${needs.phone ? fieldRow(page, phone) : ''}
        </fieldset>
        ${needs.countries ? shippingFields(page, needs.countries) : ''}
        <fieldset class="card">
          <legend>Card</legend>
          ${fieldRow(page, { name: 'cardNumber', label: 'Card number', inputmode: 'numeric', autocomplete: 'cc-number', placeholder: '4242 4242 4242 4242' })}
          <div class="pair">
            ${fieldRow(page, { name: 'expiry', label: 'Expiry', inputmode: 'numeric', autocomplete: 'cc-exp', placeholder: 'MM / YY', value: exampleExpiry(now) })}
            ${fieldRow(page, { name: 'cvc', label: 'CVC', inputmode: 'numeric', autocomplete: 'cc-csc', placeholder: '123' })}
          </div>
          ${cardholder(page, needs.countries !== null)}
        </fieldset>
        <div class="bar">
          ${note ? html`<p class="muted">${note}</p>` : ''}
          <button class="primary" type="submit">Pay ${total}</button>
        </div>
      </form>
      ${session.cancel_url ? html`<p class="center"><a class="back" href="${session.cancel_url}">Cancel and go back</a></p>` : ''}
      <section class="card">
        <h2>Test cards</h2>
        <ul class="cards">
          ${TEST_CARDS.map((card) => html`<li><code>${formatCardNumber(card.number)}</code> ${card.hint}</li>`)}
        </ul>
        <p class="muted">Any date in the future, any three digits.</p>
      </section>`,
    fuse?.style,
  )
}
