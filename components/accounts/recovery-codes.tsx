'use client'

import { Copy } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { accountToasts } from '@/lib/accounts/messages'
import { toast } from '@/lib/client/toast-store'

/** Shows the recovery codes. They cannot be shown again, because the database keeps only their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast(accountToasts.codesCopied)
    } catch {
      toast({ ...accountToasts.codesNotCopied, tone: 'bad' })
    }
  }
  return (
    <div className="grid gap-3">
      <p>
        <strong>Keep these recovery codes</strong> somewhere safe, away from your phone. Each code works once. We
        won&apos;t show them again.
      </p>
      <ul className="grid grid-cols-2 justify-items-center gap-x-2 gap-y-1 rounded-control bg-sunken px-2 py-4 font-mono text-sm whitespace-nowrap md:text-base">
        {codes.map((code) => (
          <li key={code}>{code.match(/.{1,4}/g)?.join('-')}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button onClick={onDone}>I&apos;ve saved them</Button>
      </div>
    </div>
  )
}
