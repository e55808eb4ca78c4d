import { ArrowLeft, User } from 'lucide-react'
import Link from 'next/link'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import type { Plan } from '@/lib/kernel/plan'
import { planLabel } from '@/lib/plans/rules'

type CreateHeaderProps = { username: string | null; plan: Plan }

/** Shows who is selling, between two links to the seller's own page. */
export function CreateHeader({ username, plan }: CreateHeaderProps) {
  return (
    <header className="mx-auto flex w-full max-w-2xl items-center justify-between gap-2 px-3 py-2">
      <Button asChild variant="ghost" size="icon">
        <Link href="/" aria-label="Back">
          <ArrowLeft aria-hidden />
        </Link>
      </Button>
      <p className="flex min-w-0 items-center gap-2 text-sm max-[23rem]:flex-wrap">
        <span className="font-semibold wrap-anywhere">@{username}</span>
        <Badge variant={plan === 'pro' ? 'default' : 'secondary'}>{planLabel[plan]}</Badge>
      </p>
      <Button asChild variant="ghost" size="icon">
        <Link href="/" aria-label="Your dashboard">
          <User aria-hidden />
        </Link>
      </Button>
    </header>
  )
}
