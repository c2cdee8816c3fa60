import type { Kit } from '../../start.ts'
import { type Kind, type Secret, shortest } from './secret.ts'
import type { Exchanged } from './traffic.ts'

/** Members of requests, answers and effects that hold secrets, wherever they stand. */
const kindOfMember: Readonly<Record<string, Kind>> = {
  password: 'password',
  currentPassword: 'password',
  newPassword: 'password',
  appPassword: 'password',
  token: 'token',
  secret: 'token',
  deviceCode: 'code',
  userCode: 'code',
  user_code: 'code',
  form_key: 'form key',
  code: 'code',
  state: 'link',
  accessJwt: 'ours',
  refreshJwt: 'ours',
  access_token: 'ours',
  refresh_token: 'ours',
  clientSecret: 'ours',
  botToken: 'ours',
  current: 'ours',
  previous: 'ours',
  privateKey: 'ours',
  auth: 'device',
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Secrets among the members of a value, at any depth. */
const secretsIn = (value: unknown): Secret[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const kind = kindOfMember[name]
    if (kind === undefined || typeof member !== 'string') return secretsIn(member)
    return [{ kind: member.startsWith('ExponentPushToken[') ? 'device' : kind, name, text: member }]
  })
}

const inForm = (text: string) => secretsIn(Object.fromEntries(new URLSearchParams(text)))

const bodyOf = (text: string) => text.slice(text.lastIndexOf('\n') + 1)

const matchesOf = (text: string, pattern: RegExp, kind: Kind, name: string): Secret[] =>
  [...text.matchAll(pattern)].map(([, secret = '']) => ({ kind, name, text: secret }))

/** A token in a body, a form, or an address came from a link. */
const brought = (secrets: readonly Secret[]) =>
  secrets.map((secret): Secret => (secret.kind === 'token' ? { ...secret, kind: 'link' } : secret))

/** What a request and its answer hold: members of bodies, forms and addresses, bearers, cookies and signatures. */
const secretsOfExchange = ({ url, requestText, answered }: Exchanged): Secret[] => [
  ...matchesOf(requestText, /(svc_(?:ses|pat|app|oat|ort)_\w{50,})/g, 'token', 'bearer'),
  ...matchesOf(answered, /(svc_(?:ses|pat|app|oat|ort)_\w{50,})/g, 'token', 'new token'),
  ...matchesOf(answered, /(whsec_[\w+/=]{40,})/g, 'token', 'signing secret'),
  ...matchesOf(answered, /"((?:[0-9a-z]{4}-){3}[0-9a-z]{4})"/g, 'token', 'recovery code'),
  ...matchesOf(answered, /[?&]state=(\w{20,})/g, 'link', 'state'),
  ...matchesOf(answered, /X-Amz-Signature=(\w+)/g, 'token', 'signature'),
  ...brought([...inForm(url.search), ...inForm(bodyOf(requestText)), ...secretsIn(readJson(bodyOf(requestText)))]),
  // The code of a refusal is none, and what a device is reached by is never answered.
  ...secretsIn(readJson(bodyOf(answered))).filter(({ name, kind }) => name !== 'code' && kind !== 'device'),
]

/** What an effect of a function brought: tokens of platforms, secrets of the operator, plain data keys. */
const secretsOfEffect = (result: unknown): Secret[] => {
  if (typeof result !== 'object' || result === null) return []
  const text = 'SecretString' in result ? String(result.SecretString) : ''
  const key = 'Plaintext' in result && result.Plaintext instanceof Uint8Array ? result.Plaintext : undefined
  const body = 'body' in result && result.body instanceof Uint8Array ? Buffer.from(result.body).toString('utf8') : ''
  return [
    ...secretsIn(readJson(text)),
    ...secretsIn(readJson(body)),
    ...(key === undefined ? [] : [{ kind: 'ours' as const, name: 'data key', text: '', bytes: key }]),
  ]
}

/** Every secret that was used, once. */
export const collectSecrets = (kit: Kit, exchanged: readonly Exchanged[], results: readonly unknown[]): Secret[] => {
  const mails = kit.mail.outbox().flatMap(({ text }) => matchesOf(text, /[?&]token=(\w+)/g, 'link', 'mailed token'))
  const all = [...mails, ...exchanged.flatMap(secretsOfExchange), ...results.flatMap(secretsOfEffect)]
  const known = new Map<string, Secret>()
  for (const secret of all) {
    const name = secret.bytes === undefined ? secret.text : Buffer.from(secret.bytes).toString('hex')
    // What was no secret at all, such as a token of another form that was refused.
    if (name.length >= shortest && !known.has(name)) known.set(name, secret)
  }
  return [...known.values()]
}
