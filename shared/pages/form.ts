import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { header } from '../http/request-context.ts'
import { counted } from '../text/counting.ts'

/** The fields of a form, each once. */
export type Sent = Readonly<Record<string, string>>

/** Maximum size of a form, in bytes. */
const maxFormBytes = 16 * 1024

/**
 * Rejects a form that another site sent. Browsers name the origin of a request in a header that no page can set
 * (Sec-Fetch-Site); browsers from before 2023 send Origin. A request with neither is rejected as well.
 */
export const assertSameOrigin = (ctx: Context, event: APIGatewayProxyEvent): void => {
  const site = header(event, 'Sec-Fetch-Site')
  const ours = new URL(ctx.env('BASE_URL')).origin
  if (site === undefined ? header(event, 'Origin') === ours : site === 'same-origin') return
  throw new Refusal('forbidden', 'This form was sent from another site. Open the page and send it from there.', {
    code: 'cross_site_form',
  })
}

const invalid = (text: string) => new Refusal('invalid', text, { code: 'invalid_form' })

/** Parses a form as browsers send it. */
export const readForm = (event: APIGatewayProxyEvent): Sent => {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.byteLength > maxFormBytes) {
    throw new Refusal('too-large', `The form has ${counted(bytes.byteLength, 'byte')}. Send at most ${maxFormBytes}.`, {
      code: 'body_too_large',
    })
  }
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(header(event, 'Content-Type') ?? '')) {
    throw invalid('The form must be sent as "application/x-www-form-urlencoded".')
  }
  const sent: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (name in sent) throw invalid('The form contains a field more than once.')
    sent[name] = value
  }
  return sent
}
