import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { chargeAnswer, decideDispute, withdrawFunds } from './dispute-steps'
import { invalidRequest, noSuch } from '../stripe-fault'
import { emit } from '../events/events'
import { idOf, stripeId, unixSeconds } from '../ids'
import { doLater } from '../events/do-later'
import { listObjects, pageParams } from '../list'
import { bool, clearableText, expandable, mergeMetadata, metadata, readParams, text } from '../params'
import type { Tx } from '../store'

const DAY_SECONDS = 24 * 60 * 60
export const ANSWER_SECONDS = 9 * DAY_SECONDS
const INQUIRY_ANSWER_SECONDS = 20 * DAY_SECONDS
/** An inquiry that does not become a dispute is closed after this time (docs.stripe.com/disputes/how-disputes-work). */
const INQUIRY_SECONDS = 120 * DAY_SECONDS

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

export type DisputeKind = {
  /** Whether the bank only asks about the payment. No money moves until an inquiry becomes a dispute. */
  isInquiry?: boolean
  /** The disputed part of the charge, in cents; by default the whole charge. */
  amountCents?: number
  reason?: string
  /** Whether the bank decides without asking for evidence. */
  isLostAtOnce?: boolean
  /** Whether the card network settles the case before it becomes a dispute, so that no money moves. */
  isPrevented?: boolean
}

function firstStatusOf(kind: DisputeKind): Stripe.Dispute.Status {
  if (kind.isPrevented) return 'prevented'
  if (kind.isInquiry) return 'warning_needs_response'
  return kind.isLostAtOnce ? 'lost' : 'needs_response'
}

/**
 * Files a dispute of a charge or an inquiry about it, as the cardholder's bank does. The charge must be locked or new.
 */
export async function fileDispute(tx: Tx, charge: Stripe.Charge, kind: DisputeKind = {}): Promise<Stripe.Dispute> {
  const id = stripeId('du')
  const created = unixSeconds(tx.now())
  const status = firstStatusOf(kind)
  const isOpen = status.endsWith('needs_response')
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount: kind.amountCents ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      // The deadline is zero when the bank accepts no evidence.
      due_by: isOpen ? created + (kind.isInquiry ? INQUIRY_ANSWER_SECONDS : ANSWER_SECONDS) : 0,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: status.startsWith('warning_'),
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: idOf(charge.payment_intent),
    reason: kind.reason ?? 'fraudulent',
    status,
  }
  await tx.save({ ...charge, disputed: true })
  await tx.insert(dispute)
  await emit(tx, 'charge.dispute.created', dispute)
  if (!kind.isInquiry && !kind.isPrevented) await withdrawFunds(tx, dispute)
  if (!isOpen) await emit(tx, 'charge.dispute.closed', dispute)
  if (isOpen) await doLater(tx, id, 'dispute-falls-due', created + (kind.isInquiry ? INQUIRY_SECONDS : ANSWER_SECONDS))
  return dispute
}

/** In Stripe's test mode, evidence with one of these texts decides the dispute. */
const WINNING = 'winning_evidence'
const LOSING = 'losing_evidence'
const EVIDENCE_CHARACTERS = 150_000

/** The fields that accept the id of an uploaded file instead of text (docs.stripe.com/api/disputes/update). */
const FILE_FIELDS = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
]

const fileId = () => z.string().refine((value) => value === '' || /^file_\w+$/.test(value), 'No such file upload.')

const evidenceParams = z.strictObject(
  Object.fromEntries(
    Object.keys(NO_EVIDENCE)
      .filter((field) => field !== 'enhanced_evidence')
      .map((field) => [field, (FILE_FIELDS.includes(field) ? fileId() : clearableText(20_000)).optional()]),
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
  // An appeal has evidence of its own (docs.stripe.com/disputes/arbitration), which Lastcall does not send.
  if (!['needs_response', 'warning_needs_response'].includes(dispute.status) || details.submission_count > 0) {
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
    dispute.status = dispute.status === 'needs_response' ? 'under_review' : 'warning_under_review'
  }
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.updated', dispute, previous)
  if (dispute.status !== 'under_review') return { body: dispute }
  await chargeAnswer(tx, dispute)
  const statement = evidence.uncategorized_text ?? ''
  if (statement.includes(WINNING)) await decideDispute(tx, dispute, 'won')
  else if (statement.includes(LOSING)) await decideDispute(tx, dispute, 'lost')
  return { body: dispute }
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
