import { readText } from '@/lib/http/input'
import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { storage } from '@/lib/infra/storage'
import { platformError } from '@/lib/platform/messages'
import { noteArrival } from '@/lib/uploads/note-arrival'

const MAX_REPORT_BYTES = 64 * 1024

/**
 * Passes UploadThing's callbacks to the route helper of UploadThing's package. The helper checks their signature,
 * because UploadThing sends no session and no origin. The part of the helper that issues upload URLs is disabled,
 * because POST /api/uploads does that with our keys and limits (ADR 0049).
 */
export const POST = machineRoute({
  name: 'uploads',
  run: async (ctx, request) => {
    const { direct } = storage()
    const { searchParams } = new URL(request.url)
    if (!direct || !request.headers.has('uploadthing-hook') || searchParams.has('actionType')) {
      throw platformError('NOT_FOUND')
    }
    const body = await readText(request, MAX_REPORT_BYTES)
    const report = new Request(request.url, { method: 'POST', headers: request.headers, body })
    const isTheirs = await direct.receiveReport(report, async (key) => {
      await noteArrival(ctx, { key })
    })
    if (!isTheirs) throw platformError('INVALID_INPUT', { text: 'The signature of this report is not valid.' })
    return ok({ received: true })
  },
})
