import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { HomeLink } from '@/components/layout/home-link'
import { PublicHeader } from '@/components/layout/public-header'
import { policiesDated } from '@/lib/kernel/brand'
import { SiteFooter } from '@/components/layout/site-footer'

export type LegalSection = { id: string; title: string; body: ReactNode }

type LegalPageProps = { title: string; inShort: string; sections: readonly LegalSection[] }

const prose =
  'grid gap-3 leading-relaxed [&_a]:font-medium [&_a]:underline [&_a]:underline-offset-2 [&_li]:ps-1 [&_strong]:font-semibold [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-2 [&_ul]:ps-5 [&_ul]:marker:text-muted'

/** Shows a policy with a short summary, a table of contents, and lines that are short enough to read comfortably. */
export function LegalPage({ title, inShort, sections }: LegalPageProps) {
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-6xl gap-x-20 gap-y-10 px-5 pt-2 pb-24 md:px-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <header className="grid justify-items-start gap-4 lg:col-span-2">
          <HomeLink className="-ms-3 inline-flex min-h-11 items-center gap-2 rounded-control px-3 text-sm font-semibold hover:bg-sunken">
            <ArrowLeft aria-hidden className="size-5" />
            Back
          </HomeLink>
          <h1 className="text-4xl font-extrabold md:text-6xl">{title}</h1>
          <p className="text-sm text-muted">
            Last updated: <time dateTime={policiesDated.iso}>{policiesDated.text}</time>
          </p>
          <p className="max-w-[62ch] text-lg leading-relaxed md:text-xl">{inShort}</p>
        </header>
        <nav
          aria-labelledby="contents-heading"
          className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto"
        >
          <h2 id="contents-heading" className="mb-1 text-sm font-semibold">
            On this page
          </h2>
          <ol className="grid border-t">
            {sections.map((section) => (
              <li key={section.id} className="border-b">
                <a
                  href={`#${section.id}`}
                  className="flex min-h-11 items-center py-1.5 text-sm text-muted hover:text-ink hover:underline"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="grid max-w-[68ch] content-start gap-12">
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id} className="grid gap-3">
              <h2 id={section.id} className="scroll-mt-6 text-2xl font-bold">
                {section.title}
              </h2>
              <div className={prose}>{section.body}</div>
            </section>
          ))}
        </div>
      </main>
      <SiteFooter />
    </>
  )
}

export function MailLink({ to }: { to: string }) {
  return <a href={`mailto:${to}`}>{to}</a>
}
