import type { ReactNode } from 'react'
import { BuyerLinks } from './buyer-links'
import { PublicHeader } from './public-header'

type MessagePageProps = {
  title: string
  text: string
  children?: ReactNode
  mark?: ReactNode
  /** Whether buyers meet this page. It then ends with links to their orders and to help. */
  isForBuyers?: boolean
}

/** Shows a plain page with one message. `children` are the next steps. */
export function MessagePage({ title, text, children, mark, isForBuyers = false }: MessagePageProps) {
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md justify-items-start gap-4 px-5 py-20 low:py-6">
        {mark}
        <h1 className="text-4xl font-extrabold wrap-anywhere">{title}</h1>
        <p className="text-lg wrap-anywhere text-muted">{text}</p>
        <div className="mt-2 flex flex-wrap gap-3">{children}</div>
        {isForBuyers ? (
          <div className="mt-4 w-full">
            <BuyerLinks />
          </div>
        ) : null}
      </main>
    </>
  )
}
