import 'server-only'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { countryName } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'
import { formatCardNumber, TEST_CARDS } from '../cards'
import type { SentFields } from './read-body'
import { layout, type Html } from './layout'
import { needsOf, type FieldError, type FieldName } from './pay-fields'

export type Item = {
  name: string
  image: string | null
  quantity: number
  amountCents: number
  interval: string | null
}

export type CardPage = {
  session: Stripe.Checkout.Session
  items: readonly Item[]
  payUrl: string
  /** What the buyer typed before. The page never repeats card data. */
  sent?: SentFields
  errors?: readonly FieldError[]
  /** Why the card was refused. */
  refusal?: string | null
}

type Field = {
  name: FieldName
  label: string
  autocomplete: string
  isOptional?: boolean
  /** An optional field whose label does not say "(optional)". */
  isUnmarked?: boolean
  type?: 'text' | 'email' | 'tel'
  inputmode?: 'email' | 'numeric' | 'tel' | 'text'
  placeholder?: string
  value?: string
  isReadOnly?: boolean
  /** The options of a select, each as a code and a name. */
  options?: readonly (readonly [string, string])[]
}

const SECRET_FIELDS: readonly FieldName[] = ['cardNumber', 'expiry', 'cvc']

function fieldRow(page: CardPage, field: Field): Html {
  const error = page.errors?.find((entry) => entry.field === field.name)
  const isFirst = error !== undefined && page.errors?.[0] === error
  const value = field.value ?? (SECRET_FIELDS.includes(field.name) ? '' : (page.sent?.[field.name] ?? ''))
  const described = error ? html` aria-invalid="true" aria-describedby="${field.name}-error"` : ''
  const focus = isFirst ? html` autofocus` : ''
  const optional = field.isOptional && !field.isUnmarked ? html` <span class="optional">(optional)</span>` : ''
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

function itemRow(item: Item): Html {
  const image = item.image ? html`<img src="${item.image}" alt="" width="72" height="90" />` : ''
  return html`<li class="item">
    ${image}
    <div class="grow">
      <div class="name">${item.name}</div>
      <div class="muted num">Quantity ${item.quantity}</div>
      ${item.interval ? html`<div class="muted">Renews every ${item.interval} until you cancel</div>` : ''}
    </div>
    <div class="num">${formatUsd(item.amountCents)}</div>
  </li>`
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
export function cardPage(page: CardPage): Html {
  const { session, items, payUrl } = page
  const needs = needsOf(session)
  const total = formatUsd(session.amount_total ?? 0)
  const note = session.custom_text.submit?.message
  const email: Field = { name: 'email', label: 'Email', type: 'email', inputmode: 'email', autocomplete: 'email' }
  const phone: Field = { name: 'phone', label: 'Phone', type: 'tel', inputmode: 'tel', autocomplete: 'tel' }
  return layout(
    `Pay ${total}`,
    html`<h1>Pay ${total}</h1>
      <section class="card" aria-label="Your order">
        <ul class="items">
          ${items.map(itemRow)}
        </ul>
        <div class="total"><span>Total</span><span class="num">${total} USD</span></div>
      </section>
      ${alert(page)}
      <form method="post" action="${payUrl}" novalidate>
        <fieldset class="card">
          <legend>Contact</legend>
          ${fieldRow(page, needs.email ? { ...email, value: needs.email, isReadOnly: true } : email)}
          ${needs.needsPhone ? fieldRow(page, phone) : ''}
        </fieldset>
        ${needs.countries ? shippingFields(page, needs.countries) : ''}
        <fieldset class="card">
          <legend>Card</legend>
          ${fieldRow(page, { name: 'cardNumber', label: 'Card number', inputmode: 'numeric', autocomplete: 'cc-number', placeholder: '4242 4242 4242 4242' })}
          <div class="pair">
            ${fieldRow(page, { name: 'expiry', label: 'Expiry', inputmode: 'numeric', autocomplete: 'cc-exp', placeholder: 'MM / YY' })}
            ${fieldRow(page, { name: 'cvc', label: 'CVC', inputmode: 'numeric', autocomplete: 'cc-csc', placeholder: '123' })}
          </div>
          ${fieldRow(page, { name: 'name', label: 'Name', autocomplete: 'cc-name', isOptional: true, isUnmarked: true })}
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
  )
}
