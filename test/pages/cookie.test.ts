import { expect, test } from 'vitest'
import { proxyEvent } from '../../infra/local/gateway/event.ts'
import { makeContext } from '../../shared/context.ts'
import { signInCookie, signOutCookie, tokenInCookie } from '../../shared/identity/cookie.ts'

const over = (BASE_URL: string) => makeContext({ BASE_URL })
const [secure, local] = [over('https://api.example.com/live'), over('http://127.0.0.1:4000')]

const eventWith = (cookie: string) => {
  const request = {
    id: 'r',
    baseUrl: 'https://api.example.com',
    method: 'GET',
    path: '/login',
    query: new URLSearchParams(),
    headers: [['cookie', cookie]] as const,
    sourceIp: '127.0.0.1',
    body: Buffer.alloc(0),
  }
  const plan = { path: '/login', methods: new Map() }
  return proxyEvent(
    { id: 'a', stageName: 'live', domainName: 'api.example.com', binaryTypes: [] },
    request,
    { plan, params: {} },
    0,
  )
}

test('over HTTPS the cookie has the __Host- prefix and Secure', () => {
  expect(signInCookie(secure, 'abc')).toBe(
    '__Host-svc_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
  )
  expect(signOutCookie(secure)).toBe('__Host-svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure')
  expect(signInCookie(local, 'abc')).toBe('svc_session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax')
})

test('ignores a cookie with another name, so that other hosts of the domain cannot set the session', () => {
  expect(tokenInCookie(secure, eventWith('a=b; __Host-svc_session=abc; c=d'))).toBe('abc')
  expect(tokenInCookie(secure, eventWith('svc_session=abc'))).toBeUndefined()
  expect(tokenInCookie(secure, eventWith('x__Host-svc_session=abc'))).toBeUndefined()
  expect(tokenInCookie(local, eventWith('svc_session=abc'))).toBe('abc')
})
