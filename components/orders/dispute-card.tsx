'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { Download } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { toast } from '@/lib/client/toast-store'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { isInquiry } from '@/lib/kernel/is-inquiry'
import { disputeReasonText, disputeText, isAppealable } from '@/lib/orders/dispute-rules'
import { type AnswerDisputeInput, answerDisputeSchema } from '@/lib/refunds/schema'
import type { SellerOrderDetailView } from '@/lib/orders/detail-view'

export type AnswerDisputeAction = ServerAction<AnswerDisputeInput>

type DisputeCardProps = {
  orderId: string
  dispute: NonNullable<SellerOrderDetailView['dispute']>
  onAnswer: AnswerDisputeAction
}

/** Shows a dispute or an inquiry of the buyer's bank, with the deadline for an answer, the evidence and the outcome. */
export function DisputeCard({ orderId, dispute, onAnswer }: DisputeCardProps) {
  const isOpen = dispute.canAnswer
  return (
    <section
      id="dispute"
      aria-labelledby="dispute-heading"
      className={cn(
        'grid gap-3 rounded-card border p-5',
        dispute.isClosed && dispute.status !== 'lost' ? 'border-good bg-good/8' : 'border-bad bg-bad/8',
      )}
    >
      <h2 id="dispute-heading" className="text-xl font-bold">
        {isOpen && !isInquiry(dispute.status) ? 'Respond to this dispute' : disputeText(dispute.status, 'seller')}
      </h2>
      <p>
        {isInquiry(dispute.status)
          ? `The bank asked about this payment of ${formatUsd(dispute.amountCents)}. ${disputeReasonText(dispute.reason)} No money was taken. A full refund settles the inquiry.`
          : `The buyer asked their bank to reverse ${formatUsd(dispute.amountCents)}. ${disputeReasonText(dispute.reason)}`}
      </p>
      {dispute.isClosed && !isInquiry(dispute.status) ? <Outcome dispute={dispute} /> : null}
      {isOpen && dispute.dueAt ? (
        <p className="font-semibold">
          Respond by <LocalTime iso={dispute.dueAt} />
        </p>
      ) : null}
      {isAppealable(dispute.status) ? (
        <p>
          {`${brand.name} handles appeals. If you have new evidence, email it to ${brand.contact.support} and include the number of this order`}
          {dispute.dueAt ? (
            <>
              {' '}
              before <LocalTime iso={dispute.dueAt} />
            </>
          ) : null}
          .
        </p>
      ) : null}
      {dispute.submittedAt ? (
        <p>
          Evidence sent on <LocalTime iso={dispute.submittedAt} />
        </p>
      ) : null}
      {isOpen ? <AnswerForm orderId={orderId} hasSnapshot={dispute.hasSnapshot} onAnswer={onAnswer} /> : null}
      <Button asChild variant="outline" className="justify-self-start">
        <a href={`/orders/${orderId}/evidence.txt`} download>
          <Download aria-hidden />
          Download the evidence
        </a>
      </Button>
    </section>
  )
}

/** Shows the amounts that result from the bank's decision. */
function Outcome({ dispute }: Pick<DisputeCardProps, 'dispute'>) {
  const isLost = dispute.status === 'lost'
  const sums: [string, number][] = [[isLost ? 'Returned to the buyer' : 'Payment kept', dispute.amountCents]]
  if (isLost) sums.push(['Deducted from your payout', dispute.takenCents])
  return (
    <dl className="tabular grid gap-1">
      {sums.map(([label, cents]) => (
        <div key={label} className="flex justify-between gap-4 font-semibold">
          <dt>{label}</dt>
          <dd className="whitespace-nowrap">{formatUsd(cents)}</dd>
        </div>
      ))}
      {dispute.feeCents > 0 ? (
        <div className="flex justify-between gap-4 text-sm">
          <dt>Dispute fee, paid by {brand.name}</dt>
          <dd className="whitespace-nowrap">{formatUsd(dispute.feeCents)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

type AnswerFormProps = { orderId: string; hasSnapshot: boolean; onAnswer: AnswerDisputeAction }

function AnswerForm({ orderId, hasSnapshot, onAnswer }: AnswerFormProps) {
  const { control, handleSubmit, formState, setError } = useForm<AnswerDisputeInput>({
    resolver: zodResolver(answerDisputeSchema),
    defaultValues: { orderId, statement: '' },
  })
  const send = handleSubmit(async (input) => {
    const outcome = await callAction(onAnswer, input)
    if (!outcome.ok) return setError('statement', { message: outcome.error }, { shouldFocus: true })
    toast({ title: 'Evidence sent', description: "The bank decides within a few weeks. We'll update this order." })
  })

  return (
    <form className="grid gap-3" onSubmit={(event) => void send(event)}>
      <p>
        {hasSnapshot
          ? "We'll send the drop page as the buyer saw it, the terms, the buyer's details, and the shipping or download record."
          : "We'll send the terms, the buyer's details, and the shipping or download record."}{' '}
        You can send evidence only once.
      </p>
      <LabeledField control={control} name="statement" id="dispute-statement" label="Your side of the story" optional>
        {(field) => <Textarea {...field} maxLength={5000} />}
      </LabeledField>
      <Button type="submit" isBusy={formState.isSubmitting}>
        {formState.isSubmitting ? 'Sending…' : 'Send the evidence'}
      </Button>
    </form>
  )
}
