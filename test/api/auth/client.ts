import { afterAll, beforeAll } from 'vitest'
import { openSession } from '../../../shared/identity/open-session.ts'
import { random62 } from '../../../shared/ids.ts'
import { type Kit, start } from '../../support/start.ts'
import { settle } from '../../support/world/preparations.ts'

interface Sent {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export const password = 'correct horse battery'

let kit: Kit

/** Starts one service for all tests of a file, which calls this at its top. */
export function serveFile(): void {
  beforeAll(async () => {
    kit = await start()
  })
  afterAll(() => kit.close())
}

/** The service of a test file as a person without an account meets it: bare requests and a mailbox. */
export function startClient() {
  const { service, clock } = kit
  const { mail, context: ctx } = service
  const send = async (method: string, path: string, { token, body, headers = {} }: Sent = {}) => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
  }
  const letters = (email: string) => mail.outbox().filter(({ to }) => to.includes(email))
  const tokens = (email: string, page: string) =>
    letters(email).flatMap(({ text }) => new RegExp(`/${page}\\?token=(\\w+)`).exec(text)?.[1] ?? [])
  /** What the verification links sent to an address come to, oldest first. */
  const links = (email: string) => tokens(email, 'verify-email').map((token) => `/api/auth/verify-email?token=${token}`)
  const newAddress = () => `ann.${random62(10).toLowerCase()}@example.com`
  const signUp = (email: string, over: object = {}) =>
    send('POST', '/api/auth/sign-up/email', { body: { email, password, name: 'Ann', ...over } })
  const signIn = (email: string, secret = password) =>
    send('POST', '/api/auth/sign-in/email', { body: { email, password: secret } })
  /** Signs up a new user, opens the link, and signs in. */
  const newcomer = async () => {
    const email = newAddress()
    await signUp(email)
    await send('GET', links(email)[0] ?? '')
    const { token, user } = (await signIn(email)).body.data
    return { email, token: String(token), userId: String(user.id) }
  }
  /** A user with an account and a session, without the cost of signing up. */
  const resident = async () => {
    const { email, userId } = await settle(ctx, newAddress(), 'Ann')
    const { token } = await openSession(ctx, { email, userId, name: 'Ann', userAgent: 'node' })
    return { email, token, userId }
  }
  /** A user with a session, without the cost of signing in. */
  const person = async () => {
    const [email, userId] = [newAddress(), random62(12)]
    const { token } = await openSession(ctx, { email, userId, name: 'Ann', userAgent: 'node' })
    return { email, token, userId }
  }
  return {
    ctx,
    url: service.baseUrl,
    tokens,
    mail,
    clock,
    send,
    letters,
    links,
    newAddress,
    signUp,
    signIn,
    newcomer,
    resident,
    person,
  }
}
