import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { startMail } from '../../engines/mail.ts'
import { checkSmtp, deliverBy } from '../../serve/mail.ts'
import { systemClock as clock } from '../../service/system-clock.ts'

interface Received {
  from: string
  to: string[]
  message: string
}

/** A real SMTP server that knows one person; it refuses a recipient by the name "full". */
const startSmtp = async () => {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'posts' && password === 'p:w@1') done(null, { user: username })
      else done(new Error('Authentication failed'))
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('full@') ? new Error('Mailbox full') : null)
    },
    async onData(stream, { envelope }, done) {
      const { mailFrom, rcptTo } = envelope
      const from = mailFrom === false ? '' : mailFrom.address
      received.push({ from, to: rcptTo.map(({ address }) => address), message: await text(stream) })
      done()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  const { port } = server.server.address() as AddressInfo
  const urlOf = (password: string) => `smtp://posts:${encodeURIComponent(password)}@127.0.0.1:${port}`
  return { received, url: urlOf('p:w@1'), wrongUrl: urlOf('guess'), close }
}

/** The client that the functions send emails with. */
const clientOf = async (smtpUrl: string | undefined, print: (text: string) => void = () => {}) => {
  const engine = await startMail({ clock, deliver: deliverBy({ smtpUrl, mailFrom: 'posts@bakery.test' }, print) })
  onTestFinished(() => engine.close())
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const client = new SESv2Client({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 })
  const send = (to: string) =>
    client.send(
      new SendEmailCommand({
        FromEmailAddress: 'bakery@example.com',
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: 'Grüße from the bakery' },
            Body: { Text: { Data: 'Open this link:\nhttps://a.test\n' } },
          },
        },
      }),
    )
  return { send, outbox: () => engine.outbox() }
}

test('an email reaches an SMTP server with its sender, subject, and text, and is stored nowhere', async () => {
  const smtp = await startSmtp()
  const { send, outbox } = await clientOf(smtp.url)
  await send('ann@bakery.test')
  expect(smtp.received).toMatchObject([{ from: 'posts@bakery.test', to: ['ann@bakery.test'] }])
  const { message = '' } = smtp.received[0] ?? {}
  expect(message).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe_from_the_bakery\?=\r?$/m)
  expect(message).toContain('https://a.test')
  expect(outbox()).toEqual([])
})

test('a refused recipient, a wrong password, and a server that is gone are errors that the service retries', async () => {
  const smtp = await startSmtp()
  const refused = { name: 'MessageRejected' }
  await expect((await clientOf(smtp.url)).send('full@bakery.test')).rejects.toMatchObject(refused)
  await expect((await clientOf(smtp.wrongUrl)).send('ann@bakery.test')).rejects.toMatchObject(refused)
  await expect(checkSmtp(smtp.wrongUrl)).rejects.toThrow(/Authentication failed/)
  await checkSmtp(smtp.url)
  await smtp.close()
  await expect((await clientOf(smtp.url)).send('ann@bakery.test')).rejects.toMatchObject(refused)
  expect(smtp.received).toEqual([])
})

test('without an SMTP server an email is printed', async () => {
  const printed: string[] = []
  await (await clientOf(undefined, (line) => printed.push(line))).send('ann@bakery.test')
  expect(printed.join('')).toContain(
    'Email to ann@bakery.test: Grüße from the bakery\n\nOpen this link:\nhttps://a.test\n',
  )
})
