'use client'

import { useState } from 'react'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { ForgotForm } from './forgot-form'

const tabs = [
  ['password', 'Password'],
  ['username', 'Username'],
] as const

/** The typed email address is kept for both tabs, so the form of the other tab is already filled in. */
export function ForgotTabs() {
  const [email, setEmail] = useState('')
  return (
    <Tabs defaultValue="password" className="grid gap-5">
      <TabsList aria-label="What did you forget?">
        {tabs.map(([value, label]) => (
          <TabsTrigger key={value} value={value}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {tabs.map(([value]) => (
        <TabsContent key={value} value={value} className="outline-none">
          <ForgotForm kind={value} email={email} onType={setEmail} />
        </TabsContent>
      ))}
      {/* Without JavaScript, the tabs are hidden, and only the form for the password is shown. */}
      <noscript>
        <a href="/forgot-username" className="inline-flex min-h-11 items-center text-sm underline underline-offset-4">
          Forgot your username?
        </a>
      </noscript>
    </Tabs>
  )
}
