import { readText } from '@/lib/http/input'
import { failed, ok } from '@/lib/http/responses'
import { toAppError } from '@/lib/http/route'
import { systemContext } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { noteArrival } from '@/lib/uploads/note-arrival'

const MAX_REPORT_BYTES = 64 * 1024

// Not a route(): UploadThing has no session and no origin, its signature over the raw body is what lets it in.
export async function POST(request: Request): Promise<Response> {
  const requestId = newId('req')
  try {
    const { direct } = storage()
    if (!direct) throw platformError('NOT_FOUND')
    const body = await readText(request, MAX_REPORT_BYTES)
    const arrival = direct.readArrival(body, request.headers.get('x-uploadthing-signature') ?? '')
    if (!arrival) throw platformError('INVALID_INPUT', { text: 'The signature of this report is not valid.' })
    // A report of a failure: nothing has arrived, and the row is swept.
    if (request.headers.get('uploadthing-hook') === 'error') return ok({ received: true })
    const outcome = await noteArrival({ ...systemContext('uploads'), requestId }, arrival)
    await direct.acknowledge(arrival.key)
    return ok({ received: true, outcome })
  } catch (error) {
    return failed(toAppError(error, requestId, request), requestId)
  }
}
