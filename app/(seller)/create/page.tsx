import type { Metadata } from 'next'
import Link from 'next/link'
import { choicesOf } from '@/components/drops/create/choices-of'
import { CreateForm } from '@/components/drops/create/create-form'
import { CreateHeader } from '@/components/drops/create/create-header'
import { NeedsScript } from '@/components/layout/needs-script'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { limitText } from '@/lib/drops/messages'
import { plainDropTexts } from '@/lib/drops/plain-messages'
import { listSellerDrops } from '@/lib/drops/queries'
import { isOver } from '@/lib/drops/rules'
import { currentSeller } from '@/lib/http/page'
import { plainCreate } from '@/lib/http/plain-forms/plain-create'
import { database } from '@/lib/infra/db'
import { countFollowers } from '@/lib/followers/queries'
import { planRules } from '@/lib/plans/rules'

export const metadata: Metadata = { title: 'Create a drop' }

export default async function CreatePage() {
  const seller = await currentSeller()
  if (!seller) {
    return (
      <MessagePage title="Please Log In" text="You need to be logged in to create drops.">
        <Button asChild>
          <Link href="/login?redirect=/create">Go to Login</Link>
        </Button>
      </MessagePage>
    )
  }
  const { activeDrops, productTypes, hasCustomLink, feeBps } = planRules(seller.actor)
  const drops = await listSellerDrops(database(), seller.user.id)
  const followers = await countFollowers(database(), seller.user.id)
  const isAtLimit = drops.filter((drop) => drop.isActive && !isOver(drop, drop.now)).length >= activeDrops
  const form = (
    <CreateForm
      userId={seller.user.id}
      timezone={seller.user.timezone}
      followers={followers.total}
      rules={{ productTypes, hasCustomLink, feeBps }}
      last={drops[0] ? choicesOf(drops[0], productTypes) : {}}
    />
  )
  return (
    <>
      <CreateHeader username={seller.user.username} plan={seller.user.plan} />
      <main className="mx-auto grid max-w-2xl gap-6 px-5 pt-2 pb-6 md:py-8">
        <h1 className="text-3xl font-extrabold">New drop</h1>
        <NeedsScript>{isAtLimit ? plainDropTexts.noticeAtLimit : plainDropTexts.notice}</NeedsScript>
        <noscript
          dangerouslySetInnerHTML={{ __html: plainCreate(isAtLimit ? null : { productTypes, last: drops[0] }) }}
        />
        {/* The limit is shown before the seller fills in the form, because the server would refuse the drop afterwards. */}
        {isAtLimit ? (
          <div role="status" className="grid justify-items-start gap-3 rounded-card bg-warn/8 p-4 text-warn">
            <p className="text-sm font-medium">{limitText(activeDrops)}</p>
            <div className="flex flex-wrap gap-2">
              {seller.actor.plan === 'free' ? (
                <Button asChild size="sm">
                  <Link href="/?upgrade=true">Upgrade to Pro</Link>
                </Button>
              ) : null}
              <Button asChild variant="outline" size="sm">
                <Link href="/">Go to your dashboard</Link>
              </Button>
            </div>
          </div>
        ) : null}
        {isAtLimit ? (
          <Disclosure label="Prepare your next drop">
            <div className="border-t p-4 pb-0">{form}</div>
          </Disclosure>
        ) : (
          form
        )}
      </main>
    </>
  )
}
