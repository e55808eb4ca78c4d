import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { Recorder } from './create-recorder'

export type MailSink = {
  url: string
  /** The tokens of the early links in the accepted emails. */
  earlyTokens: string[]
  setDown: (isDown: boolean) => void
  stop: () => Promise<void>
}

/**
 * Starts a mail server that records every accepted email. While it is down, it refuses every email with a temporary
 * error.
 */
export async function startMailSink(recorder: Recorder): Promise<MailSink> {
  let isDown = false
  const earlyTokens: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        if (isDown) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
        const early = /[?&]early=([A-Za-z0-9]{43})/.exec(mail.text ?? '')?.[1]
        if (early) earlyTokens.push(early)
        const to = Array.isArray(mail.to) ? mail.to[0] : mail.to
        recorder.add({
          kind: 'mail',
          messageId: mail.messageId ?? '',
          to: to?.value[0]?.address ?? '',
          subject: mail.subject ?? '',
          orderToken: /\/o\/([A-Za-z0-9]{43})/.exec(mail.text ?? '')?.[1] ?? '',
          at: Date.now(),
        })
        done(null)
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    earlyTokens,
    setDown: (down) => (isDown = down),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
