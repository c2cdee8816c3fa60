import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Readonly<Record<string, string>>

const isSame = (given: string, expected: string) =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

/** A receiver of the fixed headers, as the specification describes it; it knows one secret and looks into one header. */
export const verifyFixed = (headers: Headers, body: Uint8Array, secret: string, name = 'X-Service-Signature') => {
  const mac = createHmac('sha256', secret).update(`${headers['X-Service-Timestamp']}.`).update(body)
  return isSame(headers[name] ?? '', `v1=${mac.digest('hex')}`)
}

/** A receiver of Standard Webhooks 1.0.0: any of the listed signatures will do. */
export const verifyStandard = (headers: Headers, body: Uint8Array, secret: string) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body)
  const expected = `v1,${mac.digest('base64')}`
  return (headers['webhook-signature'] ?? '').split(' ').some((given) => isSame(given, expected))
}
