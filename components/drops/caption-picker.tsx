'use client'

import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { type CaptionChannel, captionChannels, captionOf } from '@/lib/drops/share-messages'
import type { SellerDropView } from '@/lib/drops/view'
import { copyCaption } from './share-link'

type CaptionPickerProps = { drop: SellerDropView; link: string; timezone: string }

const channels = Object.keys(captionChannels) as CaptionChannel[]

/** Shows the caption of a post about a drop for each app, with a button that copies it. */
export function CaptionPicker({ drop, link, timezone }: CaptionPickerProps) {
  const [channel, setChannel] = useState<CaptionChannel>('instagram')
  const caption = captionOf(channel, drop, { link, timeZone: timezone })
  return (
    <Tabs value={channel} onValueChange={(value) => setChannel(value as CaptionChannel)} className="grid gap-2">
      <TabsList aria-label="App of the caption">
        {channels.map((value) => (
          <TabsTrigger key={value} value={value} className="px-1.5">
            {captionChannels[value]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={channel} className="grid gap-2">
        <p className="rounded-control bg-sunken px-3 py-2.5 text-sm whitespace-pre-line wrap-anywhere select-all">
          {caption.split('\n').map((line, at) => (
            <bdi key={at} className="block">
              {line}
            </bdi>
          ))}
        </p>
        <Button variant="outline" onClick={() => void copyCaption(caption)}>
          <Copy aria-hidden />
          Copy caption
        </Button>
      </TabsContent>
    </Tabs>
  )
}
