'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { describedBy, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import { useRefusal } from '@/lib/client/use-refusal'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { disputeReasonText, disputeText, isInquiry } from '@/lib/orders/rules'
import type { AnswerDisputeInput } from '@/lib/orders/schema'
import type { SellerOrderDetailView } from '@/lib/orders/seller-view'

export type AnswerDisputeAction = ServerAction<AnswerDisputeInput>

type DisputeCardProps = {
  orderId: string
  dispute: NonNullable<SellerOrderDetailView['dispute']>
  onAnswer: AnswerDisputeAction
}

/** A payment that the buyer's bank is asked to reverse: the deadline for an answer, the evidence, and the outcome. */
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
        {isOpen && !isInquiry(dispute.status) ? 'Answer this dispute' : disputeText(dispute.status, 'seller')}
      </h2>
      <p>
        {isInquiry(dispute.status)
          ? `The bank asks about ${formatUsd(dispute.amountCents)}: ${disputeReasonText(dispute.reason)}. No money was taken; a full refund settles it.`
          : `The bank was asked to take ${formatUsd(dispute.amountCents)} back: ${disputeReasonText(dispute.reason)}.`}
      </p>
      {dispute.isClosed && !isInquiry(dispute.status) ? <Outcome dispute={dispute} /> : null}
      {isOpen && dispute.dueAt ? (
        <p className="font-semibold">
          Answer by <LocalTime iso={dispute.dueAt} />
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

/** Shows what the bank's decision means in money. */
function Outcome({ dispute }: Pick<DisputeCardProps, 'dispute'>) {
  const isLost = dispute.status === 'lost'
  const sums: [string, number][] = [[isLost ? 'Given back to the buyer' : 'Stays with the sale', dispute.amountCents]]
  if (isLost) sums.push(['Taken back of your share', dispute.takenCents])
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
          <dt>Dispute fee of the bank, paid by {brand.name}</dt>
          <dd className="whitespace-nowrap">{formatUsd(dispute.feeCents)}</dd>
        </div>
      ) : null}
    </dl>
  )
}

type AnswerFormProps = { orderId: string; hasSnapshot: boolean; onAnswer: AnswerDisputeAction }

function AnswerForm({ orderId, hasSnapshot, onAnswer }: AnswerFormProps) {
  const [statement, setStatement] = useState('')
  const [problem, setProblem] = useRefusal('dispute-statement')
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    setProblem(null)
    const outcome = await callAction(onAnswer, { orderId, statement })
    setIsSending(false)
    if (!outcome.ok) return setProblem(outcome.error)
    toast({ title: 'Evidence sent', description: 'The bank decides within some weeks; this order shows what it says.' })
  }

  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p>
        {hasSnapshot
          ? 'We send the page as it was when it was bought, the terms, the buyer’s details, and what was sent or downloaded.'
          : 'We send the terms, the buyer’s details, and what was sent or downloaded.'}{' '}
        Evidence can be sent once.
      </p>
      <Field id="dispute-statement" label="What happened, in your words" optional error={problem}>
        <Textarea
          id="dispute-statement"
          value={statement}
          maxLength={5000}
          aria-invalid={problem ? true : undefined}
          aria-describedby={describedBy('dispute-statement', { error: Boolean(problem) })}
          onChange={(event) => setStatement(event.target.value)}
        />
      </Field>
      <Button type="submit" isBusy={isSending}>
        {isSending ? 'Sending...' : 'Send the evidence'}
      </Button>
    </form>
  )
}
