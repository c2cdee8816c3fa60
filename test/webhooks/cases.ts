import { sign, vectors } from './vectors.ts'

/** One request to a receiver, and whether it must take it. */
export interface Case {
  title: string
  /** Names in lower case; one that is undefined did not come. */
  headers: Record<string, string | undefined>
  rawBody: Buffer
  secret: string
  genuine: boolean
}

type Change = Partial<Omit<Case, 'title'>> & { agoSeconds?: number }

const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const [secret, other] = [
  'whsec_p5N7ZLjKpY8Dchu2us9ceMsjX+vg5wsbhM2ZVBRhoI4=',
  'whsec_b3RoZXIgc2VjcmV0IG9mIDMyIGJ5dGVzIGluIGE=',
]
const text = '{"id":"evt_1","content":"Grüße 👋🏽 a.b"}'

/** Every vector signed anew, and what a receiver must refuse; the seconds leave room for a slow machine. */
export const casesAt = (nowMs: number): Case[] => {
  const nowSeconds = Math.floor(nowMs / 1000)
  const one = (title: string, { agoSeconds = 0, headers, ...rest }: Change = {}): Case => {
    const of = { secret, previous: [], eventId: 'evt_1', timestamp: nowSeconds - agoSeconds }
    const own = { title, rawBody: Buffer.from(text), secret, genuine: false, ...rest }
    return { ...own, headers: { ...lowered(sign(of, text)), ...headers } }
  }
  const without = (...names: string[]) => ({ headers: Object.fromEntries(names.map((name) => [name, undefined])) })
  const fixed = 'x-service-signature'
  const [given = '', standard = ''] = [one('').headers[fixed], one('').headers['webhook-signature']]
  const nextSecond = String(nowSeconds + 1)
  return [
    ...vectors.map((vector): Case => {
      const rawText = vector.body.repeat(vector.times)
      const headers = lowered(sign({ ...vector, timestamp: nowSeconds }, rawText))
      return { title: vector.name, headers, rawBody: Buffer.from(rawText), secret: vector.secret, genuine: true }
    }),
    one('four and a half minutes old', { agoSeconds: 270, genuine: true }),
    one('four and a half minutes ahead', { agoSeconds: -270, genuine: true }),
    one('five and a half minutes old', { agoSeconds: 330 }),
    one('five and a half minutes ahead', { agoSeconds: -330 }),
    one('another body', { rawBody: Buffer.from(text.replace('a.b', 'a.c')) }),
    one('a body with a line feed behind it', { rawBody: Buffer.from(`${text}\n`) }),
    one('another secret', { secret: other }),
    one('another time', { headers: { 'x-service-timestamp': nextSecond, 'webhook-timestamp': nextSecond } }),
    one('an invalid time', { headers: { 'x-service-timestamp': 'now', 'webhook-timestamp': 'now' } }),
    one('no signature', without(fixed, 'webhook-signature')),
    one('no time', without('x-service-timestamp', 'webhook-timestamp')),
    one(
      'no header at all',
      without(fixed, 'webhook-signature', 'x-service-timestamp', 'webhook-timestamp', 'webhook-id'),
    ),
    one('an empty signature', { headers: { [fixed]: '', 'webhook-signature': '' } }),
    one('a short signature', { headers: { [fixed]: given.slice(0, -1), 'webhook-signature': standard.slice(0, -2) } }),
    one('a signature in other letters', { headers: { [fixed]: `v1=${'é'.repeat(32)}`, 'webhook-signature': 'v1,é' } }),
    one('a signature of another version', {
      headers: { [fixed]: given.replace('v1=', 'v2='), 'webhook-signature': standard.replace('v1,', 'v2,') },
    }),
  ]
}
