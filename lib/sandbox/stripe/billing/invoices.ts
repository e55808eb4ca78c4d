import 'server-only'
import { z } from 'zod'
import type { Resource } from '../call'
import { noSuch } from '../stripe-fault'
import { listObjects, pageParams } from '../list'
import { expandable, readParams, text } from '../params'
import { payOpenInvoice, voidInvoice } from './open-invoices'
import { previewInvoice } from './preview-invoice'

const listParams = z.strictObject({
  ...pageParams,
  customer: text(255).optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: text(255).optional(),
})

const paymentListParams = z.strictObject({
  ...pageParams,
  invoice: text(255).optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text(255) }).optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
})

export const invoices: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/invoices',
      run: async ({ tx, params }) => {
        const { customer, status, subscription, ...page } = readParams(listParams, params)
        const contains = {
          ...(customer && { customer }),
          ...(status && { status }),
          ...(subscription && { parent: { subscription_details: { subscription } } }),
        }
        return { body: await listObjects(tx, 'invoice', '/v1/invoices', page, { contains }) }
      },
    },
    { method: 'POST', path: '/v1/invoices/create_preview', run: previewInvoice },
    { method: 'POST', path: '/v1/invoices/:id/pay', run: payOpenInvoice },
    { method: 'POST', path: '/v1/invoices/:id/void', run: voidInvoice },
    {
      method: 'GET',
      path: '/v1/invoices/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const invoice = await tx.find('invoice', id)
        if (!invoice) throw noSuch('invoice', id, 'invoice')
        return { body: invoice }
      },
    },
    {
      method: 'GET',
      path: '/v1/invoice_payments',
      run: async ({ tx, params }) => {
        const { invoice, payment, status, ...page } = readParams(paymentListParams, params)
        const contains = { ...(invoice && { invoice }), ...(payment && { payment }), ...(status && { status }) }
        return { body: await listObjects(tx, 'invoice_payment', '/v1/invoice_payments', page, { contains }) }
      },
    },
  ],
  includables: {
    invoice: {
      payments: (tx, id) =>
        listObjects(tx, 'invoice_payment', `/v1/invoice_payments?invoice=${id}`, {}, { contains: { invoice: id } }),
    },
  },
}
