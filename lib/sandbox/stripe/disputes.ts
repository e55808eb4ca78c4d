import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { bookMovement } from './balance-transactions'
import type { Call, Reply, Resource } from './call'
import { invalidRequest, noSuch } from './errors'
import { emit } from './events'
import { idOf, stripeId, unixSeconds } from './ids'
import { listObjects, pageParams } from './list'
import { bool, clearableText, expandable, mergeMetadata, metadata, readParams, text } from './params'
import type { Tx } from './store'

const DISPUTE_FEE_CENTS = 1_500
const ANSWER_SECONDS = 9 * 24 * 60 * 60

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** The cardholder disputes a charge: its money and a fee leave the balance. The charge must be locked or new. */
export async function fileDispute(tx: Tx, charge: Stripe.Charge): Promise<Stripe.Dispute> {
  const id = stripeId('du')
  const created = unixSeconds(tx.now())
  const movement = await bookMovement(tx, {
    type: 'adjustment',
    amountCents: -charge.amount,
    feeCents: DISPUTE_FEE_CENTS,
    source: id,
    description: `Chargeback withdrawal for ${charge.id}`,
  })
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [movement],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: created + ANSWER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  }
  await tx.save({ ...charge, disputed: true })
  await tx.insert(dispute)
  await emit(tx, 'charge.dispute.created', dispute)
  return dispute
}

/** In Stripe's test mode, evidence with one of these texts decides the dispute. */
const WINNING = 'winning_evidence'
const LOSING = 'losing_evidence'
const EVIDENCE_CHARACTERS = 150_000

const evidenceParams = z.strictObject(
  Object.fromEntries(
    Object.keys(NO_EVIDENCE)
      .filter((field) => field !== 'enhanced_evidence')
      .map((field) => [field, clearableText(20_000).optional()]),
  ),
)

const updateParams = z.strictObject({
  evidence: evidenceParams.optional(),
  submit: bool().optional(),
  metadata: metadata(),
  expand: expandable(),
})

async function update({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(updateParams, params)
  const dispute = await tx.lock('dispute', id)
  if (!dispute) throw noSuch('dispute', id)
  const { evidence_details: details } = dispute
  if (!dispute.status.endsWith('needs_response') || details.submission_count > 0) {
    throw invalidRequest('This dispute is no longer open for evidence.')
  }
  const evidence = { ...dispute.evidence, ...input.evidence } as Stripe.Dispute.Evidence
  if (JSON.stringify(input.evidence ?? {}).length > EVIDENCE_CHARACTERS) {
    throw invalidRequest('The combined character count of the evidence is too large.', { param: 'evidence' })
  }
  const previous = { evidence: dispute.evidence, status: dispute.status }
  dispute.evidence = evidence
  dispute.metadata = mergeMetadata(dispute.metadata, input.metadata)
  details.has_evidence = Object.values(evidence).some((value) => typeof value === 'string')
  if (input.submit !== false) {
    details.submission_count += 1
    dispute.status = 'under_review'
  }
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.updated', dispute, previous)
  const said = evidence.uncategorized_text ?? ''
  if (input.submit !== false && said.includes(WINNING)) await decide(tx, dispute, 'won')
  else if (input.submit !== false && said.includes(LOSING)) await decide(tx, dispute, 'lost')
  return { body: dispute }
}

/** Closes a dispute with the bank's decision. When it is won, the money and the fee come back. */
async function decide(tx: Tx, dispute: Stripe.Dispute, status: 'won' | 'lost'): Promise<void> {
  const charge = await tx.lock('charge', idOf(dispute.charge) ?? '')
  dispute.status = status
  if (status === 'won') {
    const movement = await bookMovement(tx, {
      type: 'adjustment',
      amountCents: dispute.amount,
      feeCents: -DISPUTE_FEE_CENTS,
      source: dispute.id,
      description: `Chargeback reversal for ${idOf(dispute.charge) ?? ''}`,
    })
    dispute.balance_transactions.push(movement)
    if (charge) await tx.save({ ...charge, disputed: false })
  }
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.closed', dispute)
}

const listParams = z.strictObject({
  ...pageParams,
  charge: text(255).optional(),
  payment_intent: text(255).optional(),
})

export const disputes: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/disputes',
      run: async ({ tx, params }) => {
        const { charge, payment_intent, ...page } = readParams(listParams, params)
        const contains = { ...(charge && { charge }), ...(payment_intent && { payment_intent }) }
        return { body: await listObjects(tx, 'dispute', '/v1/disputes', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/disputes/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const dispute = await tx.find('dispute', id)
        if (!dispute) throw noSuch('dispute', id)
        return { body: dispute }
      },
    },
    { method: 'POST', path: '/v1/disputes/:id', run: update },
  ],
}
