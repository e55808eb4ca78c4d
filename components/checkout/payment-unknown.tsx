import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'

/** Says that we do not know the payment in the page's URL. */
export function PaymentUnknown() {
  return (
    <MessagePage
      isForBuyers
      title="We can't find this payment"
      text="Open the link in your receipt email, or tap Find my order."
    >
      <Button asChild>
        <HomeLink>Go Home</HomeLink>
      </Button>
      <Button asChild variant="outline">
        <a href="/find-order">Find my order</a>
      </Button>
    </MessagePage>
  )
}
