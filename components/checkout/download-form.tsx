'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/call-api'
import { useSettling } from '@/lib/client/use-settling'
import { orderTexts } from '@/lib/orders/messages'
import type { BuyerOrderView } from '@/lib/orders/view'

type DownloadFormProps = { token: string; file: NonNullable<BuyerOrderView['file']> }

/**
 * On a slow connection a download takes a while to begin. Presses within this time are ignored, because each of them
 * would count as a download.
 */
const BEGINNING_MS = 5_000

/**
 * Offers an order's file for download with a plain form. With JavaScript, further presses are ignored while a download
 * begins, and the count of downloads is updated afterwards.
 */
export function DownloadForm({ token, file }: DownloadFormProps) {
  const router = useRouter()
  const [isSending, startSending] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)
  const [begun, setBegun] = useState(0)
  const isBeginning = useSettling(String(begun), BEGINNING_MS)
  const { name, downloadsLeft } = file
  const isBusy = isSending || isBeginning

  const download = () =>
    startSending(async () => {
      try {
        const { url } = await callApi<{ url: string }>('POST', `/o/${token}/download`)
        window.location.assign(url)
        startSending(() => {
          setBegun(begun + 1)
          setProblem(null)
          router.refresh()
        })
      } catch (error) {
        startSending(() => {
          setProblem(failureText(error))
          router.refresh()
        })
      }
    })

  return (
    <form
      method="post"
      action={`/o/${token}/download`}
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) download()
      }}
    >
      <Button type="submit" variant="buy" size="lg" disabled={downloadsLeft === 0} aria-disabled={isBusy || undefined}>
        {isBusy ? 'Starting…' : 'Download'}
      </Button>
      {problem ? (
        <p role="alert" className="rounded-control bg-bad/8 px-4 py-3 text-bad">
          {problem}
        </p>
      ) : null}
      <p className="text-center text-sm break-all text-muted">
        {name} · {downloadsLeft} {downloadsLeft === 1 ? 'download' : 'downloads'} left
      </p>
      {downloadsLeft === 0 ? (
        <p className="text-sm">
          {orderTexts.noDownloadsLeft}{' '}
          <a href={`/o/${token}#help`} className="font-medium underline underline-offset-2">
            Get help
          </a>
        </p>
      ) : null}
    </form>
  )
}
