import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Fault, readInput, serveAws } from './aws-server.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { openStateFile } from './state-file.ts'

const address = z.string().check(z.regex(/^[^\r\n]*@[^\r\n]+$/))
const text = z.object({ Data: z.string() })

// Strict, so that a copy, an attachment or a template is rejected and never silently lost.
const SendInput = z.strictObject({
  FromEmailAddress: address,
  Destination: z.strictObject({ ToAddresses: z.array(address).check(z.minLength(1), z.maxLength(50)) }),
  ReplyToAddresses: z.optional(z.array(address)),
  ConfigurationSetName: z.optional(z.string()),
  Content: z.strictObject({
    Simple: z.strictObject({ Subject: text, Body: z.strictObject({ Text: text, Html: z.optional(text) }) }),
  }),
})

const SentMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  sentAt: z.string(),
})
export type SentMail = z.infer<typeof SentMail>

export interface Mail extends Engine {
  /** What was sent, oldest first; the newest 1,000 are retained. */
  outbox(): readonly SentMail[]
}

const maxMails = 1000

/** Sends an email; throws if it was not accepted. */
export type DeliverMail = (mail: SentMail) => Promise<void>

export interface MailOptions extends EngineOptions {
  /** Sends each email, instead of storing it in the outbox. */
  deliver?: DeliverMail | undefined
}

/** SES v2 on 127.0.0.1: accepts simple messages, and stores them in an outbox instead of sending them unless told how. */
export async function startMail({ deliver, ...options }: MailOptions): Promise<Mail> {
  const file = openStateFile(options.folder && join(options.folder, 'mail.json'), z.array(SentMail), [])

  const engine = await serveAws(options, async ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v2/email/outbound-emails') {
      throw new Fault('NotFoundException', `${method} ${path} is not known here.`)
    }
    const mail = readMail(body, options.clock.now())
    if (deliver !== undefined) {
      await deliver(mail)
      return { MessageId: mail.id }
    }
    file.value.push(mail)
    file.value.splice(0, file.value.length - maxMails)
    file.save()
    return { MessageId: mail.id }
  })
  return { ...engine, outbox: () => file.value }
}

function readMail(body: unknown, now: number): SentMail {
  const { FromEmailAddress, Destination, Content } = readInput(SendInput, body, 'BadRequestException')
  const { Subject, Body } = Content.Simple
  return {
    id: randomUUID(),
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    subject: Subject.Data,
    text: Body.Text.Data,
    ...(Body.Html && { html: Body.Html.Data }),
    sentAt: new Date(now).toISOString(),
  }
}
