'use client'

import { Download } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { useStepUp } from './step-up-provider'

/** Downloads a list. The second factor is asked for before the browser starts the download, which could not ask. */
export function ExportLink({ list }: { list: 'users' | 'drops' }) {
  const stepUp = useStepUp()
  const href = `/api/admin/export/${list}`
  async function download(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    event.preventDefault()
    const { currentTarget } = event
    try {
      await stepUp(() => callApi('GET', `${href}?check=1`))
      // A click from a script reaches this handler too; the link itself is therefore cloned without one.
      const link = currentTarget.cloneNode() as HTMLAnchorElement
      link.click()
    } catch (error) {
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  return (
    <Button asChild variant="outline" size="field">
      <a href={href} download onClick={(event) => void download(event)}>
        <Download aria-hidden />
        CSV
      </a>
    </Button>
  )
}
