import { createTransport } from 'nodemailer'
import { Fault } from '../engines/aws-server.ts'
import type { DeliverMail, SentMail } from '../engines/mail.ts'
import type { Print } from '../progress.ts'
import { reasonOf } from '../stop.ts'
import type { Settings } from './settings.ts'

/** A server that does not answer holds an endpoint or a worker: the service retries later by itself. */
const timeoutMs = 10_000

const transportOf = (smtpUrl: string) =>
  createTransport({ url: smtpUrl, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs })

/** Sends emails through an SMTP server, over TLS where it offers that. */
const overSmtp = (smtpUrl: string, from: string): DeliverMail => {
  const transport = transportOf(smtpUrl)
  return async ({ id, to, subject, text, html }) => {
    try {
      await transport.sendMail({ messageId: `<${id}@${from.split('@')[1]}>`, from, to, subject, text, html })
    } catch (error) {
      // The SDK does not repeat it: the rows of the service say when.
      throw new Fault('MessageRejected', `The SMTP server did not take the email: ${reasonOf(error)}`)
    }
  }
}

const printed = ({ to, subject, text }: SentMail): string =>
  `\nEmail to ${to.join(', ')}: ${subject}\n\n${text.trim()}\n\n`

/**
 * How emails leave: through an SMTP server, or on the terminal without one. Their sender is the one of the settings; roles
 * permit only the one in the templates.
 */
export const deliverBy = ({ smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>, print: Print): DeliverMail =>
  smtpUrl === undefined ? async (mail) => print(printed(mail)) : overSmtp(smtpUrl, mailFrom)

/** Signs in at an SMTP server; throws what is wrong. */
export const checkSmtp = async (smtpUrl: string): Promise<void> => {
  const transport = transportOf(smtpUrl)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
