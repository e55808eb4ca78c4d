import { route } from '@/lib/http/route'
import { platformError } from '@/lib/platform/messages'

// Responds to calls that do not exist with our own error. Without this route, Next would respond with its HTML page.
const handler = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async () => {
    throw platformError('NOT_FOUND')
  },
})

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT }
