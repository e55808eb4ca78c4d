import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { CommandBar } from './command-bar'

/** The frame of the admin pages that the panel links to, with a title, a link back to the panel, and the content. */
export function AdminLayout({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <main className="mx-auto grid max-w-[28rem] gap-4 px-4 pt-3 pb-20 md:max-w-3xl lg:max-w-6xl">
      <div className="flex items-center gap-2">
        <Button asChild variant="ghost" size="icon" className="-ms-3">
          <a href="/admin" aria-label="Back to the panel">
            <ArrowLeft aria-hidden />
          </a>
        </Button>
        <h1 className="me-auto text-3xl font-extrabold">{title}</h1>
        <CommandBar />
      </div>
      {text ? <p className="text-muted">{text}</p> : null}
      {children}
    </main>
  )
}
