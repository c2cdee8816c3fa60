import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeContext } from '../../shared/context.ts'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { type ErrorResponse, sendRequest } from '../../shared/platforms/http.ts'
import { endsConnection, PlatformError } from '../../shared/platforms/platform-error.ts'
import { classifyFailReason } from '../../shared/platforms/tiktok/errors.ts'
import { classifyXError } from '../../shared/platforms/x/errors.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import type { Form } from './error-codes/form.ts'
import { type KnownError, knownErrors } from './error-codes/read.ts'

const answered = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ErrorResponse => ({
  status,
  headers,
  body,
  nowMs: Date.UTC(2026, 10, 22),
})

const forms = Object.fromEntries(
  await Promise.all(
    platformIds.map(async (id) => {
      const { form }: { form: Form } = await import(`./error-codes/${id}.ts`)
      return [id, form] as const
    }),
  ),
) as Record<PlatformId, Form>

/** Classifies an error response to the publishing call. */
const refuse = (platform: PlatformId, status: number, code: string, errorText: string): PlatformError => {
  const { body, headers, classify } = forms[platform]
  return classify(answered(status, body(code, errorText, status), headers?.(code)))
}

const lists = platformIds.map((platform) => ({ platform, ...knownErrors(platform) }))

/** A server that gives one answer after another. */
const answer = { status: 200, headers: {} as Readonly<Record<string, string>>, body: '' }
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const base = `http://127.0.0.1:${z.parse(z.object({ port: z.number() }), server.address()).port}`
afterAll(() => server.close())

const ctx = makeContext({ PLATFORM_API_ENDS: '{"reddit":null}' })

/** The error of a publishing call that gets this answer. */
const meet = async (platform: PlatformId, { status, code, errorText }: KnownError): Promise<PlatformError> => {
  const { body, headers, classify, classifyFailed } = forms[platform]
  if (status === 'failed') return classifyFailed?.(code) ?? expect.fail(`${platform} has no report of failed media`)
  Object.assign(answer, { status, headers: headers?.(code) ?? {}, body: JSON.stringify(body(code, errorText, status)) })
  return sendRequest(ctx, {
    platform: definitionOf(platform),
    method: 'POST',
    base,
    path: '/',
    creates: true,
    classifyError: classify,
  }).then(classify, (error: unknown) => (error instanceof PlatformError ? error : expect.fail(String(error))))
}

/** What a person reads of an error, without the platform's own message behind a colon or in parentheses. */
const sentenceOf = ({ message }: PlatformError) => message.split(/: | \(/)[0]

/** The message of an unknown code. */
const defaultOf = (platform: PlatformId) => sentenceOf(refuse(platform, 400, '4711', 'new words'))

const ownSentences = ({ platform, errors }: (typeof lists)[number]): number =>
  errors.filter(({ status, code, errorText }) => {
    if (status === 'failed') return true
    return status >= 500 || sentenceOf(refuse(platform, status, code, errorText)) !== defaultOf(platform)
  }).length

test.each(
  lists.map((list) => ({ ...list, count: list.errors.length, own: ownSentences(list) })),
)('$platform: $count known errors, $own with a specific message, from $source', async ({ platform, errors }) => {
  const rows = []
  for (const known of errors) {
    const error = await meet(platform, known)
    const { errorClass, info } = error
    rows.push({ ...known, errorClass, operator: info.operator === true })
    expect(error.message).toMatch(/^[A-Z].+[^:]$/)
  }
  expect(rows).toEqual(errors)
})

test('Slack: the code is in no message that says what to do, and last in the message for unknown codes', () => {
  const messageOf = (code: string) => refuse('slack', 200, code, '').message
  expect(messageOf('channel_is_limited_access')).toBe(
    'Slack does not let the app into this channel. Choose another one.',
  )
  expect(messageOf('a_new_name')).toBe('Slack rejected the message (a_new_name).')
  const source = readFileSync(new URL('../../shared/platforms/slack/errors.ts', import.meta.url), 'utf8')
  const known = [...source.matchAll(/^ {2,4}\[?\s*'([a-z_]+)',/gm)].map(([, code = '']) => code)
  expect(known.length).toBeGreaterThan(50)
  for (const code of known) expect([code, messageOf(code)]).toEqual([code, expect.stringMatching(/^Slack [^_]+\.$/)])
})

test('no error is listed twice', () => {
  for (const { platform, errors } of lists) {
    const keys = errors.map(({ status, code, errorText }) => `${platform} ${status} ${code} ${errorText}`)
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  }
})

const ends = ({ errorClass, operator }: KnownError) =>
  (errorClass === 'auth' || errorClass === 'permission') && !operator

test.each([
  ['tiktok', 'a daily limit that is found after the upload', classifyFailReason('spam_risk_too_many_posts')],
  ['tiktok', 'the same limit before it', refuse('tiktok', 403, 'spam_risk_too_many_posts', '')],
  ['youtube', 'uploads of a day', refuse('youtube', 400, 'uploadLimitExceeded', '')],
  ['instagram', 'posts of a day', refuse('instagram', 400, '9/2207042', '')],
  ['x', 'posts of a day', refuse('x', 403, '', 'User is over daily status update limit.')],
] as const)('%s: %s is tried again each hour', (_platform, _title, { errorClass, info }) => {
  expect([errorClass, info.retryAfterSeconds]).toEqual(['quota', 3600])
})

test('X: what the operator may spend is waited for until the day that X names', () => {
  const body = { title: 'SpendCapReached', detail: 'Spend cap', type: 'x/problems/credits', reset_date: '2026-11-24' }
  const { errorClass, info, message } = classifyXError(answered(403, body))
  expect([errorClass, info.retryAfterSeconds, info.operator]).toEqual(['quota', 2 * 86_400, true])
  expect(message).toContain('until 2026-11-24')
  expect(classifyXError(answered(403, { ...body, reset_date: 'soon' })).info.retryAfterSeconds).toBe(900)
})

test('only a removed authorization among TikTok’s fail reasons ends the connection', () => {
  expect(endsConnection(classifyFailReason('auth_removed'))).toBe(true)
  const source = readFileSync(new URL('../../shared/platforms/tiktok/errors.ts', import.meta.url), 'utf8')
  const reasons = [...source.matchAll(/'([a-z_]+)'/g)].map(([, name = '']) => name)
  expect(reasons).toContain('spam_risk_text')
  const ended = reasons.filter((reason) => endsConnection(classifyFailReason(reason)))
  expect([...new Set(ended)]).toEqual(['auth_removed'])
})

const metas: readonly PlatformId[] = ['threads', 'facebook', 'instagram']

/** Every name and number in a platform's error table, whatever it is there for. */
const namesIn = (platform: PlatformId): string[] => {
  const folders = metas.includes(platform) ? [platform, 'graph'] : [platform]
  const sources = folders.map((name) =>
    readFileSync(new URL(`../../shared/platforms/${name}/errors.ts`, import.meta.url), 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(/'([\w-]+)'|\b(\d[\d_]*)\b/g)])
  return [...new Set(names.map(([, name, number = '']) => name ?? number.replaceAll('_', '')))]
}

/** What ends a connection by its name, whatever its status; a 401 is left out, since that is always about the token. */
const isAboutGrant = (platform: PlatformId, code: string): boolean => {
  const [first = ''] = metas.includes(platform) ? code.split('/') : [code]
  if (metas.includes(platform) && Number(first) >= 200 && Number(first) <= 299) return true
  return lists.some(
    (list) =>
      list.platform === platform &&
      list.errors.some((known) => ends(known) && known.code === first && known.code !== '' && known.errorText === ''),
  )
}

/** Texts of refusals that keep the connection. */
const unchangedMessages = lists.flatMap(({ errors }) => errors.flatMap((known) => (ends(known) ? [] : known.errorText)))

const platform = fc.constantFrom(...platformIds)
const statuses = [200, 400, 402, 403, 404, 409, 410, 413, 415, 422, 423, 426, 429, 451]
const refusal = platform.chain((id) => {
  const known = fc.constantFrom(...namesIn(id))
  const single = fc.oneof(known, fc.string(), fc.nat(6_000_000).map(String))
  // Meta's codes come with subcodes.
  const pair = fc.tuple(known, known).map(([first, second]) => `${first}/${second}`)
  const code = metas.includes(id) ? fc.oneof(single, pair) : single
  const errorText = fc.oneof(fc.string(), fc.constantFrom(...unchangedMessages))
  return fc.record({ id: fc.constant(id), status: fc.constantFrom(...statuses), code, errorText })
})

test('no other refusal ends a connection, whatever its status, code, and text', () => {
  fc.assert(
    fc.property(refusal, ({ id, status, code, errorText }) => {
      fc.pre(!isAboutGrant(id, code))
      expect(endsConnection(refuse(id, status, code, errorText))).toBe(false)
    }),
    { numRuns: 5000 },
  )
})
