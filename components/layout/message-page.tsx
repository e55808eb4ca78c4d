import type { ReactNode } from 'react'
import { PublicHeader } from './public-header'

type MessagePageProps = { title: string; text: string; children?: ReactNode; mark?: ReactNode }

/** A plain page with one message and a next step. */
export function MessagePage({ title, text, children, mark }: MessagePageProps) {
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md justify-items-start gap-4 px-5 py-20">
        {mark}
        <h1 className="text-4xl font-extrabold">{title}</h1>
        <p className="text-lg text-muted">{text}</p>
        <div className="mt-2 flex flex-wrap gap-3">{children}</div>
      </main>
    </>
  )
}
