import { expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { readJpeg } from '../../shared/media/inspect/jpeg.ts'
import { reddit } from '../../shared/platforms/reddit/publish.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { minuteMs } from '../../shared/time.ts'
import { version } from '../../shared/version.ts'
import { base, flairId, posted, visitReddit } from './reddit-visit.ts'
import { failureOf, png } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, open, prepared, publish, armed, sent, formOf, fault } = await visitReddit()

test('submits a text unchanged with one form and the User-Agent', async () => {
  const call = await open({ subreddit: '/r/test' }, { text: 'Eggs & <flour>' })
  const { id, url } = await publish(call)
  expect(sent('create')).toMatchObject([
    {
      method: 'POST',
      path: '/api/submit',
      query: 'raw_json=1',
      headers: {
        authorization: `bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': `server:local-reddit-app:${version} (by /u/demo_operator)`,
      },
    },
  ])
  expect(formOf('create')).toEqual({
    api_type: 'json',
    kind: 'self',
    sr: 'test',
    title: 'A cake in May',
    text: 'Eggs & <flour>',
    sendreplies: 'true',
    nsfw: 'false',
    spoiler: 'false',
    resubmit: 'false',
    validate_on_submit: 'true',
  })
  expect(id).toMatch(/^t3_/)
  expect(url).toBe(`https://www.reddit.com/r/test/comments/${id?.slice(3)}/a_cake_in_may/`)
  expect(platforms.published()).toMatchObject([
    { account: 'u/demo_writer in r/test', text: 'A cake in May\n\nEggs & <flour>', url },
  ])
})

test('a link with its flair and its marks', async () => {
  const metadata = {
    subreddit: 'flaired',
    kind: 'link',
    url: 'https://example.com/cake',
    flairId,
    flairText: 'Discussion',
    nsfw: true,
    spoiler: true,
    sendReplies: false,
    resubmit: true,
  }
  await publish(await open(metadata, { text: '' }))
  expect(formOf('create')).toEqual({
    api_type: 'json',
    kind: 'link',
    sr: 'flaired',
    title: 'A cake in May',
    url: 'https://example.com/cake',
    sendreplies: 'false',
    nsfw: 'true',
    spoiler: 'true',
    resubmit: 'true',
    validate_on_submit: 'true',
    flair_id: flairId,
    flair_text: 'Discussion',
  })
})

test('uploads an image by lease and form, submits it, and finds the post', async () => {
  const media = [await site.file({ originalFilename: 'my cake.png' })]
  const call = await open({ kind: 'image' }, { text: '', media })
  const ref = await prepared(call)
  expect(formOf('lease')).toEqual({ api_type: 'json', filepath: 'file.png', mimetype: 'image/png' })
  const [upload] = sent('upload')
  expect(upload).toMatchObject({ method: 'POST', path: '/bucket', status: 201 })
  expect(upload?.headers['authorization']).toBeUndefined()
  expect(upload?.headers['content-length']).toBe(String(upload?.body.length))
  const parts = parseMultipart(upload?.headers['content-type'] ?? '', upload?.body ?? Buffer.alloc(0))
  expect(parts.map(({ name }) => name)).toEqual([
    'acl',
    'key',
    'Content-Type',
    'policy',
    'success_action_status',
    'file',
  ])
  expect(parts.at(-1)).toMatchObject({ filename: 'file.png', type: 'image/png', bytes: png })
  expect(platforms.published()).toEqual([])

  const landed = await reddit.commit(call, ref, 'unused', undefined)
  const { url, ...rest } = formOf('create')
  expect(url).toMatch(new RegExp(`^${platforms.urls['reddit']}/bucket/rte_media/[0-9a-f]{16}$`))
  expect(rest).not.toHaveProperty('text')
  expect(
    platforms
      .calls()
      .slice(-3)
      .map(({ operation }) => operation),
  ).toEqual(['create', 'read', 'read'])
  expect(sent('read')[0]).toMatchObject({ path: '/user/demo_writer/submitted', query: 'raw_json=1&limit=100&sort=new' })
  const [shown] = platforms.published()
  expect(landed).toEqual({ id: expect.stringMatching(/^t3_/), url: shown?.url })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(png)
})

test('uploads a video with its poster image, and waits ten minutes for processing', async () => {
  const media = [await site.file({ mimeType: 'video/quicktime', originalFilename: 'cake.mov' })]
  const poster = await site.file()
  const call = await open(
    { kind: 'video', posterMediaAssetId: 'asset' },
    { media, assets: { posterMediaAssetId: poster } },
  )
  const attempt = await armed(call)
  expect(
    sent('lease')
      .map(({ body }) => new URLSearchParams(String(body)).get('filepath'))
      .sort(),
  ).toEqual(['file.mov', 'file.png'])
  fault({ fault: 'status', status: 200, operation: 'read', times: 2, body: { data: { children: [] } } })
  expect(await failureOf(reddit.commit(call, attempt.ref, 'unused', undefined))).toMatchObject({
    errorClass: 'unknown',
  })
  const { url, video_poster_url } = formOf('create')
  expect([url, video_poster_url]).toEqual([expect.stringContaining('/bucket/'), expect.stringContaining('/bucket/')])
  expect(url).not.toBe(video_poster_url)
  expect(await probeOnce('reddit', call, attempt)).toEqual({ kind: 'unclear' })
  expect(await reddit.probe(call, attempt)).toMatchObject({ kind: 'published', url: platforms.published()[0]?.url })
})

test('uploads a video without a poster image with a neutral JPEG', async () => {
  const call = await open({ kind: 'video' }, { media: [await site.file({ mimeType: 'video/mp4' })] })
  await publish(call)
  const leased = sent('lease').map(({ body }) => new URLSearchParams(String(body)).get('mimetype'))
  expect(leased.sort()).toEqual(['image/jpeg', 'video/mp4'])
  const files = sent('upload').map(({ headers, body }) => parseMultipart(headers['content-type'] ?? '', body).at(-1))
  const poster = files.find((file) => file?.type === 'image/jpeg')?.bytes ?? Buffer.alloc(0)
  expect(readJpeg(poster).info).toMatchObject({ width: 640, height: 360 })
  expect(platforms.published()).toMatchObject([
    { text: expect.stringContaining('A cake in May'), media: [expect.any(String)] },
  ])
  for (const { headers } of sent('upload')) expect(headers['user-agent']).toMatch(/\(by \/u\/demo_operator\)$/)
})

test('treats a video that does not appear within ten minutes as rejected', async () => {
  const media = [await site.file({ mimeType: 'video/mp4' })]
  const call = await open({ kind: 'video' }, { media, assets: { posterMediaAssetId: await site.file() } })
  const attempt = await armed(call)
  site.pass(10 * minuteMs - 1)
  expect(await probeOnce('reddit', call, attempt)).toEqual({ kind: 'unclear' })
  site.pass(1)
  const settled = await reddit.probe(call, attempt)
  expect(settled).toMatchObject({ kind: 'rejected', error: { errorClass: 'invalid' } })
})

test('sends an image again that does not appear within ten minutes', async () => {
  const call = await open({ kind: 'image' }, { media: [await site.file()] })
  const attempt = await armed(call)
  site.pass(10 * minuteMs - 1)
  expect(await probeOnce('reddit', call, attempt)).toEqual({ kind: 'unclear' })
  site.pass(1)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
})

test('rejects files that Reddit cannot accept before publishing', async () => {
  expect(await failureOf(publish(await open({ kind: 'image' })))).toMatchObject({ errorClass: 'invalid' })
  expect(await failureOf(publish(await open({ kind: 'video' })))).toMatchObject({ errorClass: 'invalid' })
  const large = [await site.file({}, Buffer.alloc(20_971_521))]
  const error = await failureOf(publish(await open({ kind: 'image' }, { media: large })))
  expect(error).toMatchObject({ errorClass: 'invalid', info: { code: 'EntityTooLarge' } })
  expect(sent('create')).toEqual([])
})

test('an unavailable bucket is transient, and a foreign bucket gets no bytes', async () => {
  const call = await open({ kind: 'image' }, { media: [await site.file()] })
  fault({ fault: 'status', status: 403, operation: 'upload', body: '<Error><Code>AccessDenied</Code></Error>' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const args = { action: '//evil.test/bucket', fields: [{ name: 'key', value: 'k' }] }
  fault({ fault: 'status', status: 200, operation: 'lease', body: { args } })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', info: { operator: true } })
  fault({
    fault: 'status',
    status: 200,
    operation: 'lease',
    body: { args: { action: '//evil.test/bucket', fields: [] } },
  })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const own = {
    action: `${platforms.urls['reddit']?.replace('http:', '')}/bucket`,
    fields: [{ name: 'acl', value: 'x' }],
  }
  fault({ fault: 'status', status: 200, operation: 'lease', body: { args: own } })
  const nowhere = await failureOf(prepared(call))
  expect(nowhere.message).toBe('Reddit returned no upload URL.')
  expect(sent('upload')).toHaveLength(1)
})

const validation = (reason: string) => ({
  fault: 'status' as const,
  status: 400,
  body: { fields: ['title'], explanation: 'Say it otherwise.', message: 'Bad Request', reason, error_type: 'x' },
})

test.each([
  ['a dead token', { fault: 'token_revoked' }, 'auth', { httpStatus: 401 }],
  ['USER_REQUIRED', posted('USER_REQUIRED', 'please log in'), 'auth', { code: 'USER_REQUIRED' }],
  ['RATELIMIT with seconds', posted('RATELIMIT', 'x', { ratelimit: 534.2 }), 'rate', { retryAfterSeconds: 534.2 }],
  [
    'RATELIMIT in words',
    posted('RATELIMIT', 'Take a break for 8 minutes before trying again.'),
    'rate',
    { retryAfterSeconds: 480 },
  ],
  ['RATELIMIT without a time', posted('SUBREDDIT_RATELIMIT', 'Slow down.'), 'rate', { retryAfterSeconds: 600 }],
  ['QUOTA_FILLED', posted('QUOTA_FILLED', 'enough'), 'rate', { retryAfterSeconds: 3600 }],
  ['ALREADY_SUB', posted('ALREADY_SUB', 'seen'), 'duplicate', { code: 'ALREADY_SUB' }],
  ['a ban', posted('BANNED_FROM_SUBREDDIT', 'no'), 'invalid', { code: 'BANNED_FROM_SUBREDDIT' }],
  ['a name nobody knows', posted('BRAND_NEW', 'Something new.'), 'invalid', { detail: 'Something new.' }],
  [
    'a rule of the subreddit',
    validation('SUBMIT_VALIDATION_REGEX_REQUIREMENT'),
    'invalid',
    { detail: 'Say it otherwise.' },
  ],
  [
    'a closed subreddit',
    { fault: 'status', status: 403, body: { message: 'Forbidden', error: 403, reason: 'private' } },
    'invalid',
    { code: 'private' },
  ],
  ['404', { fault: 'status', status: 404 }, 'invalid', { httpStatus: 404 }],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 41 }, 'rate', { retryAfterSeconds: 41 }],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(sent('create')).toHaveLength(1)
})

test.each([
  ...transportFaults,
  ...lostResponses,
])('the create of a poll meets %s', async (_, script, errorClass, info) => {
  const call = await open({ poll: { options: ['Rye', 'Spelt'], durationDays: 3 } })
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(sent('create')).toHaveLength(1)
})

test('rejects the same link twice unless resubmit is set', async () => {
  const call = await open({ kind: 'link', url: 'https://example.com/' })
  await publish(call)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'duplicate' })
  await publish({
    ...call,
    post: { ...call.post, metadata: { ...base, kind: 'link', url: 'https://example.com/', resubmit: true } },
  })
  expect(platforms.published()).toHaveLength(2)
})

test('a probe finds the post by subreddit, title, and time', async () => {
  const call = await open({ subreddit: 'r/Test' })
  await publish(call)
  site.pass(2 * minuteMs)
  const attempt = await armed(call)
  expect(await reddit.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const outcome = await reddit.probe(call, attempt)
  expect(outcome).toMatchObject({ kind: 'published', url: platforms.published()[1]?.url })
  const changed = { ...call, post: { ...call.post, metadata: { ...base, title: 'new' } } }
  expect(await reddit.probe(changed, attempt)).toEqual(outcome)
})

test('a probe that cannot see enough is unclear, and ignores another post', async () => {
  const call = await open()
  const attempt = await armed(call)
  const now = site.now() / 1000
  let after: string | null = null
  const ours = { name: 't3_9', title: base.title, subreddit: 'TEST', permalink: '/r/test/9/', created_utc: now }
  const probe = (...posts: object[]) => {
    const body = { data: { children: posts.map((data) => ({ data })), after } }
    fault({ fault: 'status', status: 200, operation: 'read', times: 9, body })
    return reddit.probe(call, attempt).finally(() => platforms.faults.clear())
  }
  expect(await probe(ours)).toEqual({ kind: 'published', id: 't3_9', url: 'https://www.reddit.com/r/test/9/' })
  const others = [{ title: 'A cake in may' }, { subreddit: 'cakes' }, { created_utc: now - 61 }]
  for (const other of others) expect(await probe({ ...ours, ...other })).toEqual({ kind: 'absent' })
  const full = Array(100).fill({ ...ours, title: 'another' })
  expect(await probe(...full)).toEqual({ kind: 'absent' })
  after = 't3_9'
  expect(await probe(...full)).toEqual({ kind: 'unclear' })
  expect(await probe(...full.slice(1), { ...ours, title: 'old', created_utc: now - 100 })).toEqual({ kind: 'absent' })
  fault({ fault: 'html_503', operation: 'read' })
  expect(await probeOnce('reddit', call, attempt)).toEqual({ kind: 'unclear' })
})

test('comments under a post, and finds a lost comment among the account’s own', async () => {
  const calls = reddit.commentCalls === 'reply' ? undefined : reddit.commentCalls
  const { id, url } = await publish(await open())
  const call = await open({}, { text: 'Eggs & <flour>', replyTo: id ?? '' })
  const attempt = { clientKey: 'c:1', ref: {}, startedAtMs: site.now() }
  expect(await calls?.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await calls?.commit(call, {}, 'c:1', undefined)
  expect(sent('comment')).toMatchObject([{ method: 'POST', path: '/api/comment', query: 'raw_json=1' }])
  expect(formOf('comment')).toEqual({ api_type: 'json', thing_id: id, text: 'Eggs & <flour>' })
  expect(landed).toEqual({ id: expect.stringMatching(/^t1_/), url: `${url}${landed?.id?.slice(3)}/` })
  expect(await calls?.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  expect(sent('comments').at(-1)).toMatchObject({
    path: `/user/${call.account.username}/comments`,
    query: 'raw_json=1&limit=100&sort=new',
  })
  fault({ ...posted('RATELIMIT', 'Take a break for 8 minutes before trying again.'), operation: 'comment' })
  expect(await failureOf(Promise.resolve(calls?.commit(call, {}, 'c:1', undefined)))).toMatchObject({
    errorClass: 'rate',
    info: { retryAfterSeconds: 480 },
  })
})
