import { toCsv } from '@/lib/kernel/csv'
import { type PayoutLineView, STATEMENT_COLUMNS, toStatementCells } from './view'

const line: PayoutLineView = {
  orderId: 'ord_1',
  reference: 'ABCD1234',
  title: '=HYPERLINK("x"), mug',
  paidAt: '2026-11-01T10:00:00.000Z',
  amountCents: 2400,
  discountCode: 'FRIENDS',
  discountCents: 600,
  shippingCents: 450,
  taxCents: 0,
  platformFeeCents: 120,
  cardFeeCents: null,
  netCents: 2280,
  deductedCents: 0,
  feeOwedCents: 0,
  withheldCents: 0,
  recoveredCents: 0,
  debtCents: 0,
  dueAgainCents: 950,
  againCents: 0,
  payoutCents: 2280,
  state: 'waiting',
  dispute: null,
  settledIn: null,
  handPayments: [{ amountCents: 2280, reference: 'SEPA 7', paidAt: '2026-11-09T10:00:00.000Z' }],
  dueAt: '2026-11-08T10:00:00.000Z',
  isPromisedParcel: false,
  sentAt: null,
  arrival: null,
}

test('the statement is in dollars, and a title cannot become a spreadsheet formula', () => {
  const [head, row, end] = toCsv(STATEMENT_COLUMNS, [toStatementCells(line)]).split('\r\n')
  expect(head).toBe(
    'Order,Item,Paid,Amount,Platform fee,Card fee,Your payout,Taken back,State,Due,Sent,Card fee owed,Kept for other orders,Paid by later payouts,Still owed,Discount code,Discount,Paid by bank transfer,Reference,Due again,Shipping',
  )
  expect(row).toBe(
    `ABCD1234,"'=HYPERLINK(""x""), mug",2026-11-01,24.00,1.20,,22.80,0.00,waiting,2026-11-08,,0.00,0.00,0.00,0.00,FRIENDS,6.00,22.80,SEPA 7,9.50,4.50`,
  )
  expect(end).toBe('')
})
