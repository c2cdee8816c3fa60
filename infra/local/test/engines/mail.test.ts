import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BadRequestException, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2'
import { expect, onTestFinished, test } from 'vitest'
import { startMail } from '../../engines/mail.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
const clock = { now: () => Date.UTC(2030, 0, 1) }

async function start(folder?: string) {
  const mail = await startMail({ clock, ...(folder && { folder }) })
  const client = new SESv2Client({ region: 'us-east-1', endpoint: mail.url, credentials, maxAttempts: 1 })
  onTestFinished(() => {
    client.destroy()
    return mail.close()
  })
  const send = (over: Partial<SendEmailCommandInput> = {}) =>
    client.send(new SendEmailCommand({ ...letter('Reset your password'), ...over }))
  return { mail, send }
}

function letter(subject: string, html?: string): SendEmailCommandInput {
  return {
    FromEmailAddress: 'Service <no-reply@example.com>',
    Destination: { ToAddresses: ['ann@example.com'] },
    Content: {
      Simple: {
        Subject: { Data: subject },
        Body: { Text: { Data: 'Zwölf Zeichen ✓' }, ...(html && { Html: { Data: html } }) },
      },
    },
  }
}

test('a sent email is in the outbox under the returned id', async () => {
  const { mail, send } = await start()
  const { MessageId } = await send()
  expect(mail.outbox()).toEqual([
    {
      id: MessageId,
      from: 'Service <no-reply@example.com>',
      to: ['ann@example.com'],
      subject: 'Reset your password',
      text: 'Zwölf Zeichen ✓',
      sentAt: '2030-01-01T00:00:00.000Z',
    },
  ])
})

test('keeps the HTML part next to the text', async () => {
  const { mail, send } = await start()
  await send(letter('With a link', '<p>Hi</p>'))
  expect(mail.outbox()).toMatchObject([{ subject: 'With a link', html: '<p>Hi</p>' }])
})

test('the outbox is in sending order, each email with its own id', async () => {
  const { mail, send } = await start()
  for (const subject of ['one', 'two', 'three']) await send(letter(subject))
  expect(mail.outbox().map(({ subject }) => subject)).toEqual(['one', 'two', 'three'])
  expect(new Set(mail.outbox().map(({ id }) => id)).size).toBe(3)
})

test.each<[string, Partial<SendEmailCommandInput>]>([
  ['no recipient', { Destination: { ToAddresses: [] } }],
  ['a recipient that is no address', { Destination: { ToAddresses: ['ann'] } }],
  ['a line break in an address', { FromEmailAddress: 'a@example.com\r\nBcc: b@example.com' }],
  ['a copy', { Destination: { ToAddresses: ['ann@example.com'], BccAddresses: ['bob@example.com'] } }],
  ['raw content', { Content: { Raw: { Data: Buffer.from('Subject: x') } } }],
])('rejects %s and stores nothing', async (_, over) => {
  const { mail, send } = await start()
  await expect(send(over)).rejects.toBeInstanceOf(BadRequestException)
  expect(mail.outbox()).toEqual([])
})

test('emails survive a restart, and the error names a corrupt file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const before = await start(folder)
  await before.send()
  const after = await start(folder)
  expect(after.mail.outbox()).toEqual(before.mail.outbox())
  expect(after.mail.outbox()).toHaveLength(1)

  const path = join(folder, 'mail.json')
  writeFileSync(path, '{}')
  await expect(startMail({ clock, folder })).rejects.toThrow(`The state file ${path} is corrupt`)
})
