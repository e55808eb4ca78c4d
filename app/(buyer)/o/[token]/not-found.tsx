import type { Metadata } from 'next'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { orderTexts } from '@/lib/orders/messages'

export const metadata: Metadata = { title: orderTexts.notFoundTitle }

export default function OrderNotFound() {
  return (
    <MessagePage isForBuyers title={orderTexts.notFoundTitle} text={orderTexts.notFound}>
      <Button asChild>
        <a href="/find-order">Find my order</a>
      </Button>
    </MessagePage>
  )
}
