import { ReportForm } from './report-form'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { MessagePage } from '@/components/layout/message-page'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { trustTexts } from '@/lib/trust/messages'

type ReportScreenProps = {
  title: string
  /** The title of the drop or the name of the profile. */
  subject: string
  /** The path that the form is sent to. */
  action: string
  back: { href: string; label: string }
  texts: { sent: string; categoryMissing: string }
  searchParams: Record<string, string | string[] | undefined>
}

/** Shows the form that reports a drop or a profile, why a report was refused, or that it was sent. */
export function ReportScreen({ title, subject, action, back, texts, searchParams }: ReportScreenProps) {
  const { sent, problem } = searchParams
  if (sent) {
    return (
      <MessagePage isForBuyers title="Reported" text={texts.sent}>
        <Button asChild variant="outline">
          <a href={back.href}>{back.label}</a>
        </Button>
      </MessagePage>
    )
  }
  const problems = new Map([
    ['limit', trustTexts.reportLimit],
    ['input', texts.categoryMissing],
  ])
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
        <div className="grid gap-2">
          <h1 className="text-3xl font-extrabold">{title}</h1>
          <p className="font-semibold wrap-anywhere">{subject}</p>
          <p className="text-muted">{trustTexts.reportText}</p>
        </div>
        <ReportForm
          action={action}
          back={back}
          problem={typeof problem === 'string' ? problems.get(problem) : undefined}
        />
        <BuyerLinks />
      </main>
    </>
  )
}
