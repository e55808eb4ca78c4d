import { route } from '@/lib/http/route'
import { platformError } from '@/lib/platform/messages'

// A call that does not exist gets the same JSON as any other error, not an HTML page.
const handler = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async () => {
    throw platformError('NOT_FOUND')
  },
})

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT }
