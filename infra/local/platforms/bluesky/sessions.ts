import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { readInput, refuse } from './refuse.ts'
import { type BlueskyAccount, didDocument, findAccount } from './seed.ts'
import { readToken, signToken } from './tokens.ts'

interface Session {
  jti: string
  did: string
  /** A used refresh token expires two hours after its first use, so that the call can be repeated after a lost response. */
  endsAt?: number
  nextJti?: string
}

const graceMs = 2 * 3600 * 1000
const Login = z.object({ identifier: z.string(), password: z.string() })

export type Authenticate = (call: Call) => BlueskyAccount

/** App password sessions: the routes, and the check of the access token every other route uses. */
export function openSessions({ clock, url, keep }: SimulatorContext): { routes: Route[]; authenticate: Authenticate } {
  const sessions = keep<Session>('sessions')
  const authenticate: Authenticate = (call) =>
    owner(readToken('access', call.headers['authorization'], clock.now()).sub)

  function describe(account: BlueskyAccount): Record<string, unknown> {
    const { did, handle } = account
    const email = `${handle.split('.')[0]}@mail.test`
    return { did, handle, email, emailConfirmed: true, active: true, didDoc: didDocument(account, url) }
  }
  function open(account: BlueskyAccount, jti: string): Answer {
    if (sessions.get(jti) === undefined) sessions.set(jti, { jti, did: account.did })
    const accessJwt = signToken('access', account.did, clock.now())
    const refreshJwt = signToken('refresh', account.did, clock.now(), jti)
    return { status: 200, body: { accessJwt, refreshJwt, ...describe(account) } }
  }
  function current(call: Call): Session {
    const { jti } = readToken('refresh', call.headers['authorization'], clock.now())
    const session = sessions.get(jti)
    if (session === undefined || (session.endsAt ?? Number.POSITIVE_INFINITY) <= clock.now()) {
      return refuse(400, 'ExpiredToken', 'Token has been revoked')
    }
    return session
  }

  function login(call: Call): Answer {
    const { identifier, password } = readInput(call, Login)
    const account = findAccount(identifier)
    if (account?.appPassword === undefined || account.appPassword !== password) {
      return refuse(401, 'AuthenticationRequired', 'Invalid identifier or password')
    }
    return open(account, newJti())
  }
  function refresh(call: Call): Answer {
    if (call.body.length > 0) refuse(400, 'InvalidRequest', 'This procedure takes no request body')
    const session = current(call)
    const nextJti = session.nextJti ?? newJti()
    const answer = open(owner(session.did), nextJti)
    if (session.nextJti === undefined) sessions.set(session.jti, { ...session, nextJti, endsAt: clock.now() + graceMs })
    return answer
  }
  function logout(call: Call): Answer {
    const session = current(call)
    sessions.delete(session.jti)
    if (session.nextJti !== undefined) sessions.delete(session.nextJti)
    return { status: 200 }
  }

  const server = '/xrpc/com.atproto.server'
  const routes: Route[] = [
    { method: 'POST', path: `${server}.createSession`, operation: 'login', answer: login },
    { method: 'POST', path: `${server}.refreshSession`, operation: 'refresh', answer: refresh },
    { method: 'POST', path: `${server}.deleteSession`, operation: 'logout', answer: logout },
    {
      method: 'GET',
      path: `${server}.getSession`,
      operation: 'session',
      answer: (call) => ({ status: 200, body: describe(authenticate(call)) }),
    },
  ]
  return { routes, authenticate }
}

function owner(did: string): BlueskyAccount {
  return findAccount(did) ?? refuse(403, 'AccountNotFound', 'Account not found')
}

function newJti(): string {
  return randomBytes(16).toString('base64url')
}
