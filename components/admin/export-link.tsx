'use client'

import { Download } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { useStepUp } from '@/components/accounts/step-up-provider'

/**
 * Downloads a list as CSV. If the server requires a second-factor code, the panel asks for the code before the download
 * starts, because a download by the browser cannot open a dialog.
 */
export function ExportLink({ list }: { list: 'users' | 'drops' }) {
  const stepUp = useStepUp()
  const href = `/api/admin/export/${list}`
  async function download(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    event.preventDefault()
    const { currentTarget } = event
    try {
      await stepUp(() => callApi('GET', `${href}?check=1`))
      // Clicking the link itself would call this handler again, so a copy without a handler is clicked.
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
