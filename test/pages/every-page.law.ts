import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages, type Route } from '../../functions/routes.ts'
import { type Kit, start } from '../support/start.ts'
import { happyVisit } from '../support/world/page-visits.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'
import { browserOf, type Seen } from './test-browser.ts'

const recorder = makeStepRecorder()
let kit: Kit
const seen = new Map<Route, { answer: Seen; trips: string }>()

beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  for (const page of pages) {
    const visit = await happyVisit(page.operation, kit)
    // Has read the keys of tokens once.
    if (page.endpoint.contract.needs.includes('token-keys')) await (await happyVisit(page.operation, kit))()
    // The caller rests: one at work may cost a second count.
    kit.clock.pass(1_000)
    let answer: Seen | undefined
    const steps = await recorder.during(async () => {
      answer = await visit()
    })
    if (answer !== undefined) seen.set(page, { answer, trips: tripsOf(steps, page.name, { counted: true }) })
  }
}, 120_000)
afterAll(() => kit.close())

/** Scripts, style sheets, icons, and the console, which draws itself (test/console). */
const isFile = ({ endpoint }: Route) => /\.(?:js|css|svg)$|^\/console$/.test(endpoint.contract.path)
const all = () => [...seen].map(([page, { answer }]) => ({ name: page.operation, page, answer }))
const shown = () => all().filter(({ page }) => !isFile(page))

/** Pages with their own script; the others run none. */
const scripts: Readonly<Record<string, string>> = {
  'pages.showNotifications': '\n<script src="notifications.js" defer></script>',
  'pages.showWorkspaces': '\n<script src="workspaces.js" defer></script>',
}

/** Where each page leads when all is well, or what stands at its top, and what it costs. */
const expected: Readonly<Record<string, readonly [target: string, trips: string]>> = {
  'pages.acceptInvitation': [
    '/invite?token=…',
    'BatchGetItem + count | BatchGetItem | BatchGetItem | Query | TransactWriteItems',
  ],
  'pages.answerConsent': [
    'The assistant is connected',
    'BatchGetItem + count | BatchGetItem + Query | BatchGetItem | TransactWriteItems | SendMessage',
  ],
  'pages.answerDevice': ['/device?user_code=…', 'BatchGetItem + count | BatchGetItem | BatchGetItem | UpdateItem'],
  'pages.changeNotifications': [
    '/notifications?done=test',
    'BatchGetItem + count | BatchGetItem | TransactWriteItems | SendMessage',
  ],
  'pages.changeAssistants': [
    '/workspace?id=…&done=disconnect',
    'BatchGetItem + count | BatchGetItem | BatchGetItem | TransactWriteItems',
  ],
  'pages.changeBilling': [
    '/billing?workspace=…&done=cancelled',
    'BatchGetItem + count | BatchGetItem | BatchGetItem | GET /v1/subscriptions | POST /v1/subscriptions/{id} | BatchGetItem | GET /v1/subscriptions | TransactWriteItems',
  ],
  'pages.connectAccounts': [
    '/connect-accounts?ticket=…',
    'count | BatchGetItem | BatchGetItem | UpdateItem | TransactWriteItems | SendMessage | UpdateItem',
  ],
  'pages.enterUserCode': [
    '/device?user_code=…',
    'BatchGetItem + count | UpdateItem | UpdateItem | UpdateItem | UpdateItem',
  ],
  'pages.consoleIcon': ['', ''],
  'pages.consolePlotScript': ['', ''],
  'pages.consoleScript': ['', ''],
  'pages.consoleStyle': ['', ''],
  'pages.notificationsScript': ['', ''],
  'pages.workspacesScript': ['', ''],
  'pages.notificationsWorker': ['', ''],
  'pages.requestPasswordReset': ['/forgot-password?sent=1', 'count | count | BatchGetItem | PutItem | SendEmail'],
  'pages.resetPassword': [
    '/login?notice=password-changed',
    'count | BatchGetItem | BatchGetItem | Query + Query + Query | TransactWriteItems | SendMessage',
  ],
  'pages.showBilling': ['A plan for your workspace', 'count'],
  'pages.showConnectAccounts': ['Select accounts', 'BatchGetItem + count | BatchGetItem | BatchGetItem'],
  'pages.showConsole': ['Console', ''],
  'pages.showConsent': ['Connect an assistant?', 'BatchGetItem + count | BatchGetItem + Query | BatchGetItem'],
  'pages.showDevice': ['Did you start this?', 'BatchGetItem + count | BatchGetItem | BatchGetItem'],
  'pages.showForgotPassword': ['Forgot your password?', 'count'],
  'pages.showInvitation': ['You are invited', 'BatchGetItem + count | BatchGetItem | BatchGetItem | BatchGetItem'],
  'pages.showNotifications': ['Notifications', 'BatchGetItem + count | BatchGetItem'],
  'pages.showResetPassword': ['Choose a new password', 'count | BatchGetItem'],
  'pages.showLanding': ['Schedule and publish posts to fifteen platforms', 'count'],
  'pages.showSignIn': ['Sign in', 'count'],
  'pages.showWorkspace': ['Passing', 'BatchGetItem + count | BatchGetItem | Query + Query'],
  'pages.showWorkspaces': ['Your workspaces', 'BatchGetItem + count | Query | BatchGetItem'],
  'pages.connectFromWorkspace': [
    '/workspace?id=…&connected=bluesky',
    'BatchGetItem + count | BatchGetItem | POST /xrpc/com.atproto.server.createSession | GET /xrpc/app.bsky.actor.getProfile | TransactWriteItems | SendMessage',
  ],
  'pages.createToken': ['Your token', 'BatchGetItem + count | Query | BatchGetItem | TransactWriteItems | SendMessage'],
  // The name is taken: the second transaction has another slug.
  'pages.createWorkspace': [
    '/console?workspace=…',
    'BatchGetItem + count | Query | BatchGetItem | GenerateDataKeyWithoutPlaintext | TransactWriteItems | TransactWriteItems',
  ],
  'pages.showSignUp': ['Create an account', 'count'],
  'pages.showVerifyEmail': ['Verify your email address', 'count'],
  'pages.signIn': ['/console', 'count | BatchGetItem | count | count | Query | TransactWriteItems'],
  'pages.signOut': ['/login?notice=signed-out', 'BatchGetItem + count | TransactWriteItems'],
  'pages.signUp': ['/sign-up?sent=1', 'count | TransactWriteItems | count | SendEmail'],
  'pages.verifyEmail': ['/login?notice=verified', 'count | BatchGetItem | TransactWriteItems'],
}

test('every page responds as expected, within its budget of round trips', () => {
  const summary = [...seen].map(([{ operation }, { answer, trips }]) => {
    const target = answer.to?.replace(/(token|ticket|user_code|workspace|id)=[\w-]+/, '$1=…') ?? answer.heading ?? ''
    return [operation, [target, trips]]
  })
  expect(Object.fromEntries(summary)).toEqual(expected)
})

/** What is shown once is on no page that can be opened again. */
const shownOnce = ['pages.createToken', 'pages.answerConsent']

test('a GET shows a page, and a POST redirects', () => {
  for (const { name, page, answer } of all()) {
    expect(answer.status, name).toBe(shownOnce.includes(name) ? 200 : page.endpoint.contract.status)
  }
})

test('no response can be cached, framed, or sniffed, and each loads only its own styles and script', () => {
  for (const { name, answer } of shown()) {
    const header = (name: string) => answer.headers.get(name)
    expect(header('Cache-Control'), name).toBe('no-store')
    expect(header('X-Content-Type-Options'), name).toBe('nosniff')
    expect(header('Referrer-Policy'), name).toBe('no-referrer')
    expect(header('X-Request-Id'), name).toMatch(/^[\w-]{15}=$/)
    expect(header('Content-Type'), name).toBe('text/html; charset=utf-8')
    expect(header('Access-Control-Allow-Origin'), name).toBeNull()
    const [, hash] = /style-src 'sha256-([^']+)'/.exec(header('Content-Security-Policy') ?? '') ?? []
    const own = scripts[name] === undefined ? '' : " script-src 'self'; worker-src 'self';"
    expect(header('Content-Security-Policy'), name).toBe(
      `default-src 'none'; style-src 'sha256-${hash}';${own} form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    if (answer.text === '') continue
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(answer.text) ?? []
    expect(createHash('sha256').update(style).digest('base64'), name).toBe(hash)
    const markup = answer.text
      .replace(scripts[name] ?? '', '')
      .replace(`curl ${kit.url}/api/`, '')
      .replace(/http:\/\/127\.0\.0\.1:\d+\/(callback|api\/mcp)/g, '')
    expect(markup, name).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=|https?:/i)
  }
})

test('every page has a language, a title, one heading, and a label for each input', () => {
  for (const { name, answer } of shown().filter(({ page }) => page.endpoint.contract.method === 'GET')) {
    const { text } = answer
    expect(text, name).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text.match(/<h1>/g), name).toHaveLength(1)
    expect(text, name).toMatch(/<title>[^<]+ · (?:Social Publishing|Acme)<\/title>/)
    expect(text, name).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    const inputs = [...text.matchAll(/<input (?!type="hidden")id="(\w+)"/g)].map(([, id]) => id)
    for (const id of inputs) expect(text, name).toContain(`<label for="${id}">`)
  }
})

const withForm = pages.filter(({ endpoint }) => endpoint.contract.method === 'POST')

test.each(
  withForm.map((page) => [page.operation, page] as const),
)('%s rejects a form from another site', async (_, page) => {
  const { path } = page.endpoint.contract
  const { send } = browserOf(kit, kit.sessionToken)
  const strangers: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': '', Origin: kit.url },
  ]
  for (const headers of strangers) {
    const seen = await send(path, {}, headers)
    expect(seen.status, JSON.stringify(headers)).toBe(403)
    expect(seen.text, JSON.stringify(headers)).toContain('This form was sent from another site')
  }
})

test.each(
  withForm.map((page) => [page.operation, page] as const),
)('%s answers an unreadable form with a page', async (_, { endpoint }) => {
  const { url } = kit
  const post = (body: string, type: string) =>
    fetch(`${url}${endpoint.contract.path}`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' },
    })
  const form = 'application/x-www-form-urlencoded'
  const answers = [
    await post('{"email":"ann@example.com"}', 'application/json'),
    await post('email=a&email=b', form),
    await post(`email=${'x'.repeat(20_000)}`, form),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 413])
  for (const answer of answers) expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
})
