import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'

type PageTitleProps = { children: string; back?: string }

/**
 * Shows the title of a seller's page, with a back link that leads to the dashboard unless `back` names another page.
 */
export function PageTitle({ children, back = '/' }: PageTitleProps) {
  return (
    <div className="flex items-center gap-2 md:tall:mt-4">
      <Button asChild variant="ghost" size="icon" className="-ms-3">
        <Link href={back} aria-label="Back">
          <ArrowLeft aria-hidden />
        </Link>
      </Button>
      <h1 className="text-3xl font-extrabold">{children}</h1>
    </div>
  )
}
