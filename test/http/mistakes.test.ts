import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitions } from '../../shared/platforms/definitions.ts'
import { checkMetadata } from '../../shared/platforms/rules/check-post.ts'
import { platformIds } from '../../shared/resources.ts'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

interface Mistake {
  method?: string
  path?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  isAnonymous?: boolean
}

const soon = () => new Date(kit.clock.now() + 3_600_000).toISOString()

/** A post that is accepted, as JSON. */
const good = () => ({ socialAccountIds: [kit.accounts.bluesky], content: 'Hello', scheduledAt: soon() })

const send = ({ method = 'POST', path = '/api/posts/schedule', body, headers = {}, isAnonymous = false }: Mistake) => {
  const bearer = isAnonymous ? {} : { Authorization: `Bearer ${kit.pat}` }
  const own = { ...bearer, 'X-Workspace-Id': kit.workspaceId, ...headers }
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const json = body === undefined || 'Content-Type' in own ? {} : { 'Content-Type': 'application/json' }
  return fetch(`${kit.url}${path}`, { method, headers: { ...own, ...json }, ...(sent ? { body: sent } : {}) })
}

const request = async (mistake: Mistake) => {
  const answer = await send(mistake)
  const { error, code, field, requestId, docUrl } = JSON.parse(await answer.text())
  expect(requestId).toMatch(/\S/)
  expect(docUrl).toBe(`${kit.url}/api/docs/errors/${code}`)
  expect(error).toMatch(/^[A-Z"].*[.?]$/)
  return { status: answer.status, error, field }
}

/** A message that shows what to send instead. */
const mistakes: readonly [string, () => Mistake, number, RegExp][] = [
  [
    'a misspelled platform in metadata',
    () => ({ body: { ...good(), metadata: { instagrm: { format: 'reel' } } } }),
    400,
    /^"metadata\.instagrm" is not a known field\. Did you mean "instagram"\?$/,
  ],
  [
    'the former name of a platform in metadata',
    () => ({ body: { ...good(), metadata: { twitter: {} } } }),
    400,
    /Did you mean "x"\?$/,
  ],
  [
    'a misspelled field of a platform',
    () => ({ body: { ...good(), metadata: { bluesky: { lang: ['en'] } } } }),
    400,
    /^Bluesky: "metadata\.bluesky\.lang" is not a known field\. Did you mean "langs"\?$/,
  ],
  [
    'another name for the text, the accounts, and the time',
    () => ({ body: { text: 'Hello', accounts: [], publishAt: soon() } }),
    400,
    /"socialAccountIds", "content" and "scheduledAt" are required.*Did you mean "content"\?.*Did you mean "socialAccountIds"\?.*Did you mean "scheduledAt"\?/,
  ],
  [
    'a time in seconds',
    () => ({ body: { ...good(), scheduledAt: 1_900_000_000 } }),
    400,
    /^"scheduledAt" must be an RFC 3339 date-time with a time zone, such as \d{4}-\d\d-\d\dT/,
  ],
  [
    'one account in place of a list',
    () => ({ body: { ...good(), socialAccountIds: 'acc_1' } }),
    400,
    /^"socialAccountIds" must be an array, such as \["acc_1"\]\.$/,
  ],
  [
    'the name of a platform as an account',
    () => ({ body: { ...good(), socialAccountIds: ['bluesky'] } }),
    404,
    /no account bluesky\. Ids of accounts start with "acc_"\. Use an id from GET \/api\/social-accounts\.$/,
  ],
  [
    'a comma too many',
    () => ({ body: '{\n  "content": "Hello",\n}' }),
    400,
    /^The body is not valid JSON at line 3, column 1\./,
  ],
  [
    'a form',
    () => ({ body: 'content=Hello', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    400,
    /must be "application\/json".*Forms are not read\. Send a JSON object\.$/,
  ],
  [
    'a text that is too long',
    () => ({ body: { ...good(), content: 'x'.repeat(301) } }),
    400,
    /^Bluesky: 301\/300 characters\. Shorten the text by 1 character\.$/,
  ],
  [
    'no workspace',
    () => ({ body: good(), headers: { 'X-Workspace-Id': '' } }),
    400,
    /"X-Workspace-Id" is required\. Send ws_\w+, the workspace of this token\.$/,
  ],
  [
    'another workspace than that of the token',
    () => ({ body: good(), headers: { 'X-Workspace-Id': 'ws_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
    403,
    /^This token is for the workspace ws_\w+\. Send its id as "X-Workspace-Id"\.$/,
  ],
  [
    'an API key in the header of other services',
    () => ({ body: good(), headers: { 'X-Api-Key': 'secret' }, isAnonymous: true }),
    401,
    /"X-API-Key" is not read\.$/,
  ],
  [
    'a token where only people have access',
    () => ({ method: 'GET', path: '/api/webhooks' }),
    403,
    /requires a session.*POST \/api\/auth\/sign-in\/email\.$/,
  ],
  ['another path', () => ({ method: 'GET', path: '/v1/posts' }), 404, /GET \/api\/docs lists all paths\.$/],
  [
    'another method',
    () => ({ method: 'PUT', path: '/api/posts' }),
    405,
    /^This path does not have this method\. It has GET, /,
  ],
]

/** Mistakes, the field that the answer names, the fix in its message, and the same request with the fix. */
const fixed: readonly [string, () => Mistake, number, string | undefined, RegExp, () => Mistake][] = [
  [
    'a post sent to the list of posts',
    () => ({ path: '/api/posts', body: good() }),
    405,
    undefined,
    /To create a post, call POST \/api\/posts\/schedule or POST \/api\/posts\/publish-now\.$/,
    () => ({ body: good() }),
  ],
  [
    'a platform that the service does not have',
    () => ({ path: '/api/social-accounts/connect/tumblr' }),
    400,
    'platform',
    new RegExp(`^"platform" must be one of ${platformIds.toSorted().join(', ')}\\.$`),
    () => ({ path: '/api/social-accounts/connect/threads' }),
  ],
  [
    'a time in words',
    () => ({ body: { ...good(), scheduledAt: 'tomorrow' } }),
    400,
    'scheduledAt',
    /^"scheduledAt" must be an RFC 3339 date-time with a time zone, such as 2026-12-01T09:00:00Z\.$/,
    () => ({ body: { ...good(), scheduledAt: soon() } }),
  ],
  [
    'a file on the own computer as media',
    () => ({ body: { ...good(), mediaUrls: ['http://localhost:3000/cat.png'] } }),
    400,
    'mediaUrls[0]',
    /The host localhost is your own computer, which the service cannot reach\. .*POST \/api\/media\/upload-url/,
    () => ({ path: '/api/media/upload-url', body: { filename: 'cat.png', mimeType: 'image/png', fileSize: 1000 } }),
  ],
  [
    'twitter as a platform to connect',
    () => ({ path: '/api/social-accounts/connect/twitter' }),
    400,
    'platform',
    /^"platform" must be one of .*\. Did you mean "x"\?$/,
    () => ({ path: '/api/social-accounts/connect/x' }),
  ],
  [
    'a platform to connect in upper case',
    () => ({ path: '/api/social-accounts/connect/X' }),
    400,
    'platform',
    /Did you mean "x"\?$/,
    () => ({ path: '/api/social-accounts/connect/x' }),
  ],
  [
    'the former name of a platform in platformContent',
    () => ({ body: { ...good(), platformContent: { twitter: 'Hi' } } }),
    400,
    'platformContent.twitter',
    /Did you mean "x"\?$/,
    () => ({ body: { ...good(), platformContent: { x: 'Hi' } } }),
  ],
  [
    'a path of a local file as media',
    () => ({ body: { ...good(), mediaUrls: ['./cat.png'] } }),
    404,
    'mediaUrls',
    /no media \.\/cat\.png\. Ids of media start with "med_"\. Upload a file first with POST \/api\/media\/upload-url\.$/,
    () => ({ path: '/api/media/upload-url', body: { filename: 'cat.png', mimeType: 'image/png', fileSize: 1000 } }),
  ],
  [
    'image/jpg as a type',
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.jpg', mimeType: 'image/jpg', fileSize: 1000 } }),
    400,
    'mimeType',
    /Did you mean "image\/jpeg"\?$/,
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.jpg', mimeType: 'image/jpeg', fileSize: 1000 } }),
  ],
  [
    'an empty file',
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.jpg', mimeType: 'image/jpeg', fileSize: 0 } }),
    400,
    'fileSize',
    /^"fileSize" must be at least 1\. The file is empty\.$/,
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.jpg', mimeType: 'image/jpeg', fileSize: 1 } }),
  ],
  [
    'a list as JSON text',
    () => ({ body: { ...good(), socialAccountIds: JSON.stringify([kit.accounts.bluesky]) } }),
    400,
    'socialAccountIds',
    /^"socialAccountIds" must be an array, such as \["acc_\w+"\]\.$/,
    () => ({ body: { ...good(), socialAccountIds: [kit.accounts.bluesky] } }),
  ],
  [
    'names with a comma as a list',
    () => ({ body: { ...good(), socialAccountIds: 'acc_1, acc_2' } }),
    400,
    'socialAccountIds',
    /^"socialAccountIds" must be an array, such as \["acc_1","acc_2"\]\.$/,
    () => ({ body: good() }),
  ],
  [
    'an empty text as a list',
    () => ({ body: { ...good(), socialAccountIds: '' } }),
    400,
    'socialAccountIds',
    /^"socialAccountIds" must be an array\.$/,
    () => ({ body: good() }),
  ],
  [
    'the character that stands for broken bytes',
    () => ({ body: JSON.stringify({ ...good(), content: 'a\ufffdb' }) }),
    400,
    'body',
    /^The body has the character U\+FFFD,.* send its escape \\ufffd\.$/,
    () => ({ body: JSON.stringify({ ...good(), content: 'a\ufffdb' }).replace('\ufffd', '\\ufffd') }),
  ],
  [
    'a type of file that no platform takes, which is no other one misspelled',
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.heic', mimeType: 'image/heic', fileSize: 1000 } }),
    400,
    'mimeType',
    /^"mimeType" must be one of image\/jpeg, .*, application\/x-subrip\. Save the image as JPEG or PNG\.$/,
    () => ({ path: '/api/media/upload-url', body: { filename: 'a.jpg', mimeType: 'image/jpeg', fileSize: 1000 } }),
  ],
  [
    'a timezone in addition to the time',
    () => ({ body: { ...good(), timezone: 'Europe/Berlin' } }),
    400,
    'timezone',
    /^"timezone" is not a known field\. Put the offset into "scheduledAt", such as 2026-12-01T09:00:00\+01:00\.$/,
    () => ({ body: { ...good(), scheduledAt: soon().replace('Z', '+00:00') } }),
  ],
  [
    'imageUrl in place of a list of media',
    () => ({ body: { ...good(), imageUrl: 'https://example.com/a.png' } }),
    400,
    'imageUrl',
    /Did you mean "mediaUrls"\?$/,
    () => ({ body: { ...good(), mediaUrls: [] } }),
  ],
  [
    'the number of a page',
    () => ({ method: 'GET', path: '/api/posts?page=2' }),
    400,
    'page',
    /Did you mean "cursor"\?$/,
    () => ({ method: 'GET', path: '/api/posts' }),
  ],
]

test.each(fixed)('%s: the message names the field and a fix that works', async (...row) => {
  const [, mistake, status, field, message, fix] = row
  expect(await request(mistake())).toEqual({ status, field, error: expect.stringMatching(message) })
  expect((await send(fix())).status).toBeLessThan(300)
})

test('null for a field that is optional is taken as absent, and for a required one as missing', async () => {
  const nulls = { mediaUrls: null, metadata: null, platformContent: { x: null }, firstComment: null, externalId: null }
  const { data } = JSON.parse(await (await send({ body: { ...good(), ...nulls } })).text())
  expect(data).toMatchObject([{ status: 'scheduled', mediaUrls: [] }])
  const metadata = { bluesky: { langs: null } }
  expect((await send({ body: { ...good(), metadata } })).status).toBe(201)
  expect(await request({ body: { ...good(), content: null } })).toMatchObject({
    status: 400,
    field: 'content',
    error: '"content" is required. Send a string.',
  })
  expect(await request({ body: { ...good(), mediaUrls: [null] } })).toMatchObject({ status: 400, field: 'mediaUrls.0' })
})

test('line breaks are one character, and control characters and invisible texts are refused', async () => {
  const schedule = async (over: object) => JSON.parse(await (await send({ body: { ...good(), ...over } })).text())
  const { data } = await schedule({ content: 'a\r\nb\rc\td', firstComment: { text: 'x\r\ny' } })
  expect(data).toMatchObject([{ content: 'a\nb\nc\td', firstComment: { text: 'x\ny' } }])
  for (const content of ['a\0b', 'a\u0007', 'a\u0085']) {
    expect(await request({ body: { ...good(), content } })).toMatchObject({
      status: 400,
      field: 'content',
      error: expect.stringMatching(/control characters\. Remove U\+00\d\d\.$/),
    })
  }
  const metadata = { reddit: { title: 'a\0b' } }
  expect(await request({ body: { ...good(), metadata } })).toMatchObject({
    status: 400,
    field: 'metadata.reddit.title',
  })
  for (const content of ['\u200b', '\u2060\ufeff ', '\u2800', '\u3164', '\u00ad']) {
    expect(await request({ body: { ...good(), content } })).toMatchObject({ status: 400, field: 'content' })
  }
  expect(await schedule({ content: '👨‍👩‍👧' })).toMatchObject({ success: true })
})

test('times in lower case, and offsets with a + that a query does not escape, are taken', async () => {
  expect((await send({ body: { ...good(), scheduledAt: soon().toLowerCase() } })).status).toBe(201)
  const east = `${soon().slice(0, 19)}+01:00`
  const from = (value: string) => send({ method: 'GET', path: `/api/posts?from=${value}` }).then((each) => each.text())
  expect(JSON.parse(await from(east)).data).toEqual(JSON.parse(await from(encodeURIComponent(east))).data)
})

test('a mistake is reported once: a text instead of a time, and a file that is listed five times', async () => {
  const { issues } = JSON.parse(await (await send({ body: { ...good(), scheduledAt: 'tomorrow' } })).text())
  expect(issues).toEqual([expect.objectContaining({ field: 'scheduledAt', code: 'invalid_format' })])
  const { scheduledAt: _, ...post } = good()
  const five = { ...post, mediaUrls: Array.from({ length: 5 }, () => 'med_x') }
  const checked = JSON.parse(await (await send({ path: '/api/posts/validate', body: five })).text())
  expect(checked.data.issues.filter(({ code }: { code: string }) => code === 'media_not_found')).toHaveLength(1)
})

test('the first field of several at fault is named, also where a rule of a platform refuses', async () => {
  const [long, missing] = [{ content: 'x'.repeat(301) }, { socialAccountIds: [kit.accounts.discord] }]
  expect(await request({ body: { ...good(), ...long } })).toMatchObject({ status: 400, field: 'content' })
  expect(await request({ body: { ...good(), ...missing } })).toMatchObject({ field: 'metadata.discord' })
  const twice = [kit.accounts.bluesky, kit.accounts.bluesky]
  expect(await request({ body: { ...good(), socialAccountIds: twice } })).toMatchObject({ field: 'socialAccountIds' })
})

test.each(mistakes)('%s: the message says what to send', async (_name, mistake, status, message) => {
  const { status: actual, error } = await request(mistake())
  expect(error).toMatch(message)
  expect(actual).toBe(status)
})

const exampleIn = (text = '') => JSON.parse(/Example: (\{.*\})\.$/.exec(text)?.[1] ?? 'null')

test('the message about missing metadata shows a block that is accepted', async () => {
  const demanding = definitions.filter(({ rules }) => rules.metadata?.required)
  expect(demanding.length).toBeGreaterThan(5)
  for (const definition of demanding) {
    const [missing] = checkMetadata(definition, undefined)
    const example = exampleIn(missing?.next)
    expect(checkMetadata(definition, example[definition.id]), definition.id).toEqual([])
    const [incomplete] = checkMetadata(definition, {})
    expect(exampleIn(incomplete?.next), definition.id).toEqual(example)
  }
  const onDiscord = { ...good(), socialAccountIds: [kit.accounts.discord] }
  const { error } = await request({ body: onDiscord })
  const body = { ...onDiscord, metadata: exampleIn(error) }
  expect(await kit.api.posts.schedule({ body })).toMatchObject([{ status: 'scheduled' }])
})

test.each([
  '/invite',
  '/verify-email',
  '/reset-password',
])('%s without its token is a page for people', async (path) => {
  const answer = await fetch(`${kit.url}${path}`)
  const text = await answer.text()
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([400, expect.stringContaining('text/html')])
  expect(text).toContain('This link is incomplete.')
  expect(text).not.toContain('JSON')
})
