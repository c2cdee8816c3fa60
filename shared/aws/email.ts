import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { type Context, measured, perContext } from '../context.ts'
import { asSingleLine } from '../text/single-line.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, SESv2Client, {}))

/** A plain text email to one address. */
export interface EmailMessage {
  to: string
  subject: string
  text: string
}

/** SES rejected an email. Unlike its cause, the message contains no address. */
class EmailNotSent extends Error {
  override name = 'EmailNotSent'
  constructor(cause: unknown) {
    super(`SES did not take the email: ${cause instanceof Error ? cause.name : 'unknown'}`, { cause })
  }
}

/**
 * Sends an email from the address in MAIL_FROM; throws EmailNotSent if SES rejects it. SES encodes the headers; the subject
 * is forced to a single line.
 */
export const sendEmail = async (ctx: Context, email: EmailMessage): Promise<void> => {
  const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' })
  const command = new SendEmailCommand({
    FromEmailAddress: ctx.env('MAIL_FROM'),
    Destination: { ToAddresses: [email.to] },
    Content: { Simple: { Subject: utf8(asSingleLine(email.subject)), Body: { Text: utf8(email.text) } } },
  })
  try {
    await ctx.observe({ service: 'ses', action: 'SendEmail', resource: 'mail' }, () => client(ctx).send(command))
  } catch (cause) {
    const error = new EmailNotSent(cause)
    const metric = measured(ctx, { name: 'UnsentEmails', value: 1 })
    ctx.log.error('an email was not sent', { reason: error.message, ...metric })
    throw error
  }
}
