import type { Metadata } from 'next'
import { ApiReference, headingIdOf } from '@/components/api-docs/api-reference'
import { PublicHeader } from '@/components/layout/public-header'
import { SiteFooter } from '@/components/layout/site-footer'
import { apiDocument } from '@/lib/http/openapi/api-document'
import { brand } from '@/lib/kernel/brand'

export const metadata: Metadata = {
  title: 'API',
  description: `Every call of ${brand.name}: what it takes, what it returns, and who may make it.`,
  alternates: { canonical: '/api-docs' },
}

export default function ApiDocsPage() {
  const { info, tags, paths, components } = apiDocument()
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-4xl gap-10 px-5 pt-2 pb-24 md:px-8">
        <header className="grid gap-4">
          <h1 className="text-4xl font-extrabold md:text-6xl">{info.title}</h1>
          <p className="max-w-[62ch] text-lg leading-relaxed">{info.description}</p>
          <p>
            Programs can read this as an{' '}
            <a href="/api/openapi.json" className="font-medium underline underline-offset-2">
              OpenAPI 3.1 document
            </a>
            .
          </p>
        </header>
        <nav aria-label="On this page">
          <ul className="flex flex-wrap gap-x-4">
            {[...tags.map(({ name }) => [headingIdOf(name), name]), ['shapes', 'Schemas']].map(([id, name]) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-flex min-h-11 min-w-11 items-center underline underline-offset-2">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ApiReference tags={tags} paths={paths} schemas={components.schemas} />
      </main>
      <SiteFooter />
    </>
  )
}
