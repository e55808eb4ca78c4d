import { readText } from '@/lib/http/input'
import { machineRoute } from '@/lib/http/machine-route'
import { ok } from '@/lib/http/responses'
import { storage } from '@/lib/infra/storage'
import { platformError } from '@/lib/platform/messages'
import { noteArrival } from '@/lib/uploads/note-arrival'

const MAX_REPORT_BYTES = 64 * 1024

/** UploadThing sends no session and no origin: the signature over the raw body proves who calls. */
export const POST = machineRoute({
  name: 'uploads',
  run: async (ctx, request) => {
    const { direct } = storage()
    if (!direct) throw platformError('NOT_FOUND')
    const body = await readText(request, MAX_REPORT_BYTES)
    const arrival = direct.readArrival(body, request.headers.get('x-uploadthing-signature') ?? '')
    if (!arrival) throw platformError('INVALID_INPUT', { text: 'The signature of this report is not valid.' })
    // UploadThing reports a failed upload: nothing has arrived, and the sweep removes the row.
    if (request.headers.get('uploadthing-hook') === 'error') return ok({ received: true })
    const outcome = await noteArrival(ctx, arrival)
    await direct.acknowledge(arrival.key)
    return ok({ received: true, outcome })
  },
})
