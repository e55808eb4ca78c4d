import { Button } from '@/components/ui/button'
import type { BuyerOrderView } from '@/lib/orders/view'
import { DownloadForm } from './download-form'

/** Shows the button that opens or downloads the file of a digital order. Shows nothing for an order without a file. */
export function OrderFile({ token, digitalUrl, file }: Pick<BuyerOrderView, 'token' | 'digitalUrl' | 'file'>) {
  return (
    <>
      {digitalUrl ? (
        <Button asChild variant="buy" size="lg">
          {/* The route records the download, which is evidence in a dispute, and then leads to the seller's link. */}
          <a href={`/o/${token}/download`} rel="noreferrer noopener" target="_blank">
            Open your file
          </a>
        </Button>
      ) : null}
      {file ? <DownloadForm token={token} file={file} /> : null}
    </>
  )
}
