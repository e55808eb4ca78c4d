import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { adminTexts } from '@/lib/admin/messages'

/**
 * Says that only administrators may open the page. A visitor gets a link to the login, because the visitor may be an
 * administrator who has not signed in yet.
 */
export function AccessDenied({ isVisitor }: { isVisitor: boolean }) {
  return (
    <MessagePage title={adminTexts.deniedTitle} text={adminTexts.denied}>
      <Button asChild>
        <HomeLink>Go Home</HomeLink>
      </Button>
      {isVisitor ? (
        <Button asChild variant="outline">
          <a href="/login?redirect=%2Fadmin">Sign in</a>
        </Button>
      ) : null}
    </MessagePage>
  )
}
