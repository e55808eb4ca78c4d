import type { ReactNode } from 'react'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { AccessDenied } from './access-denied'

type Refused = { access: 'denied'; isVisitor: boolean } | { access: 'needs-two-factor'; text: string }

/** Says that a person may not open an admin page, or must set up two-factor sign-in first. */
export function AdminGate({ page }: { page: Refused }): ReactNode {
  if (page.access === 'denied') return <AccessDenied isVisitor={page.isVisitor} />
  return (
    <MessagePage title="One more step" text={page.text}>
      <Button asChild>
        <a href="/account">Set up two-factor</a>
      </Button>
    </MessagePage>
  )
}
