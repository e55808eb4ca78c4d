import { trackingFileSchema } from './schema'

test.each(['', ' ', '\n\n'])('a tracking file that contains only %j is rejected as empty', (csv) =>
  expect(trackingFileSchema.safeParse({ csv }).error?.issues[0]?.message).toBe('Choose a file or paste its lines.'),
)
