import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'

type AuthPageProps = { title: string; text: string; back: { href: string; label: string }; children: ReactNode }

/**
 * Shows a back arrow above a card: the frame of /signup, /two-factor, /confirm-email, and the pages about forgotten
 * passwords and usernames.
 */
export function AuthPage({ title, text, back, children }: AuthPageProps) {
  return (
    <main className="grid gap-6">
      <Button asChild variant="ghost" size="icon" className="-ms-3 justify-self-start">
        <Link href={back.href} aria-label={back.label}>
          <ArrowLeft aria-hidden />
        </Link>
      </Button>
      <Card className="grid gap-5 p-6 md:p-8">
        <div>
          <h1 className="text-4xl font-extrabold">{title}</h1>
          {text ? <p className="mt-1 text-muted">{text}</p> : null}
        </div>
        {children}
      </Card>
    </main>
  )
}
