import { expect, test } from 'vitest'
import type { PreparedRef } from '../../shared/platforms/adapter.ts'
import { youtube as connector } from '../../shared/platforms/youtube/connect.ts'
import { youtube } from '../../shared/platforms/youtube/publish.ts'
import { failureOf } from './site.ts'
import { clip, longFilm, visit } from './visit.ts'

const { site, platforms, sentTo, operations, fault, videoFile, open, anew, prepared, waiting, commit, probe, slowly } =
  await visit(youtube, connector)

const puts = () => platforms.calls().filter(({ platform, method }) => platform === 'youtube' && method === 'PUT')
const ranges = () => puts().map(({ headers, status }) => [headers['content-range'], status])

test('opens a session for a short clip ahead, and sends the video on time', async () => {
  const metadata = { title: 'My <3 clip'.replace('<', ''), tags: ['fun', 'two words'], privacyStatus: 'unlisted', x: 1 }
  const text = 'First line\nÜ second'
  const call = await open({
    text,
    metadata: { ...metadata, categoryId: '24', madeForKids: true, notifySubscribers: false },
  })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 24 * 3_600_000)
  const [opened] = sentTo('open')
  expect(opened).toMatchObject({
    method: 'POST',
    path: '/upload/youtube/v3/videos',
    query: 'uploadType=resumable&part=snippet%2Cstatus&notifySubscribers=false',
  })
  const bearer = `Bearer ${call.account.credentials['accessToken']}`
  expect(opened?.headers).toMatchObject({
    authorization: bearer,
    'content-type': 'application/json; charset=UTF-8',
    'x-upload-content-length': '1028',
    'x-upload-content-type': 'video/mp4',
  })
  expect(JSON.parse(String(opened?.body))).toEqual({
    snippet: { title: 'My 3 clip', description: text, tags: ['fun', 'two words'], categoryId: '24' },
    status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
  })
  expect(puts()).toEqual([])
  const landed = await commit(call, ready)
  const [put] = puts()
  expect(put).toMatchObject({ path: '/upload/youtube/v3/videos', body: clip, status: 200 })
  expect(put?.query).toMatch(/^uploadType=resumable&upload_id=[0-9a-f]{32}$/)
  expect(put?.headers).toMatchObject({
    authorization: bearer,
    'content-type': 'video/mp4',
    'content-length': '1028',
    'content-range': 'bytes 0-1027/1028',
  })
  const [shown] = platforms.published()
  expect(landed).toEqual({ id: expect.stringMatching(/^[\w-]{11}$/), url: shown?.url })
  expect(shown).toMatchObject({
    account: 'Demo Channel',
    text: 'My 3 clip\n\nFirst line\nÜ second',
    url: `https://www.youtube.com/watch?v=${landed.id}`,
  })
  expect(site.effects.at(-1)).toEqual({
    service: 'youtube',
    action: 'PUT /upload/youtube/v3/videos',
    resource: platforms.urls['youtube'],
  })
})

test('without metadata the video is public, not made for kids, and titled by its first line', async () => {
  await prepared(await open({ text: '\n  A title  \nand more' }))
  expect(sentTo('open')[0]?.query).toContain('notifySubscribers=true')
  expect(JSON.parse(String(sentTo('open')[0]?.body))).toEqual({
    snippet: { title: 'A title', description: '\n  A title  \nand more', categoryId: '22' },
    status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
  })
})

test('says what AI made, what is paid, and the language, where the author says it', async () => {
  const labels = { containsSyntheticMedia: true, hasPaidProductPlacement: false, defaultLanguage: 'pt-BR' }
  await prepared(await open({ text: 'A title', metadata: { ...labels, privacyStatus: 'private' } }))
  expect(sentTo('open')[0]?.query).toBe(
    'uploadType=resumable&part=snippet%2Cstatus%2CpaidProductPlacementDetails&notifySubscribers=true',
  )
  expect(JSON.parse(String(sentTo('open')[0]?.body))).toEqual({
    snippet: { title: 'A title', description: 'A title', categoryId: '22', defaultLanguage: 'pt-BR' },
    status: { privacyStatus: 'private', selfDeclaredMadeForKids: false, containsSyntheticMedia: true },
    paidProductPlacementDetails: { hasPaidProductPlacement: false },
  })
})

const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex')

const withThumbnail = async (bytes: Buffer = jpeg) =>
  open({ assets: { thumbnailMediaAssetId: await site.file({ mimeType: 'image/jpeg' }, bytes) } })
const thumbnails = () => sentTo('thumbnail')

test('sets the thumbnail right after the video is live', async () => {
  const call = await withThumbnail()
  const { ready } = await prepared(call)
  expect(thumbnails()).toEqual([])
  const landed = await commit(call, ready)
  expect(landed).toEqual({ id: landed.id, url: `https://www.youtube.com/watch?v=${landed.id}` })
  expect(operations().slice(-2)).toEqual(['create', 'thumbnail'])
  expect(thumbnails()).toMatchObject([
    {
      method: 'POST',
      path: '/upload/youtube/v3/thumbnails/set',
      query: `videoId=${landed.id}`,
      body: jpeg,
      status: 200,
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'image/jpeg',
        'content-length': String(jpeg.length),
      },
    },
  ])
  const [, image = ''] = platforms.published()[0]?.media ?? []
  expect(Buffer.from(await (await fetch(image)).arrayBuffer())).toEqual(jpeg)
})

test('a lost response of the video still sets its thumbnail, by session and by the list of uploads', async () => {
  const call = await withThumbnail()
  const { ready } = await prepared(call)
  fault({ operation: 'create', fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(thumbnails()).toEqual([])
  // A probe gets the uploaded files; converted files are in the journal.
  const bare = { ...call, post: { ...call.post, assets: {} } }
  expect(await probe(bare, ready)).toMatchObject({ kind: 'published' })
  fault({ operation: 'status', fault: 'status', status: 404 })
  expect(await probe(bare, ready)).toMatchObject({ kind: 'published' })
  expect(thumbnails().map(({ status }) => status)).toEqual([200, 200])
})

const refused = (status: number, reason: string) => ({
  operation: 'thumbnail',
  fault: 'status' as const,
  status,
  body: { error: { code: status, message: 'their words', errors: [{ reason }] } },
})

test.each([
  ['an unverified channel', [refused(403, 'forbidden')], 1, /^The thumbnail was not set: the channel must be verified/],
  [
    'an image that is none',
    [refused(400, 'invalidImage')],
    1,
    /^The thumbnail was not set: YouTube rejected the image: their words/,
  ],
  ['a quota', [refused(403, 'quotaExceeded')], 1, /daily upload quota of this service is used up/],
  ['a video that is not known yet', [refused(404, 'videoNotFound')], 2, undefined],
  ['an error of the server', [refused(503, 'backendError')], 2, undefined],
  ['a lost response', [{ operation: 'thumbnail', fault: 'landed_then_reset' as const }], 2, undefined],
  ['two errors', [refused(503, 'backendError'), refused(404, 'videoNotFound')], 2, /^The thumbnail was not set: /],
] as const)('the video is live in spite of %s', async (_, faults, tries, warning) => {
  const call = await withThumbnail()
  const { ready } = await prepared(call)
  for (const name of faults) fault(name)
  const landed = await commit(call, ready)
  expect(landed.id).toMatch(/^[\w-]{11}$/)
  if (warning === undefined) expect(landed).not.toHaveProperty('warning')
  else expect(landed.warning).toMatch(warning)
  expect(thumbnails()).toHaveLength(tries)
  expect(platforms.published()).toHaveLength(1)
})

test('the stand-in rejects thumbnails that YouTube rejects', async () => {
  for (const [bytes, message] of [
    [Buffer.from('GIF89a'), /rejected the image: The image is not valid/],
    [Buffer.concat([jpeg, Buffer.alloc(2_097_152)]), /too large/],
  ] as const) {
    const call = await withThumbnail(bytes)
    expect((await commit(call, (await prepared(call)).ready)).warning).toMatch(message)
  }
  const call = await withThumbnail()
  const missing = { ...(await prepared(call)).ready, thumbnail: { storageKey: 'media/none', mimeType: 'image/jpeg' } }
  expect((await commit(call, missing)).warning).toBe('The thumbnail was not set: the image was deleted.')
})

test.each([
  ['cut at 100', 'x'.repeat(101), 'x'.repeat(100)],
  ['never inside a character', `${'x'.repeat(97)}👨‍👩‍👧‍👦`, 'x'.repeat(97)],
  ['counted in code points', '😀'.repeat(101), '😀'.repeat(100)],
  ['the name of the file where there is no text', ' \n ', 'clip.mp4'],
])('the default title: %s', async (_, text, title) => {
  await prepared(await open({ text }))
  expect(JSON.parse(String(sentTo('open')[0]?.body)).snippet.title).toBe(title)
})

test('uploads a long video in aligned ranges ahead; the last bytes create it', async () => {
  const long = longFilm(17 * 1024 * 1024 + 5)
  const call = await open({ media: [await videoFile(long, 'video/quicktime')] })
  const { ready } = await prepared(call)
  expect(ranges()).toEqual([
    ['bytes 0-16777215/17825797', 308],
    ['bytes 16777216-17825791/17825797', 308],
  ])
  expect(puts()[0]?.headers).toMatchObject({ 'content-type': 'video/quicktime', 'content-length': '16777216' })
  expect(platforms.published()).toEqual([])
  site.pass(30 * 60_000)
  await commit(call, ready)
  expect(ranges()[2]).toEqual(['bytes 17825792-17825796/17825797', 200])
  const [shown] = platforms.published()
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer()).equals(long)).toBe(true)
})

test('a long upload runs in phases that begin with the state of the session', async () => {
  const call = await open({ media: [await videoFile(longFilm(33 * 1024 * 1024))] })
  const slow = { ...call, ctx: slowly(call.ctx, 30_000) }
  const first = await waiting(slow)
  expect(first).toMatchObject({ waitSeconds: 1, resume: { next: 16_777_216 } })
  // The journaled progress is not trusted: a phase may have died before it was written.
  const { ready } = await prepared(call, JSON.parse(JSON.stringify({ ...first.resume, next: 0 })))
  expect(ready['next']).toBe(34_603_008 - 262_144)
  expect(ranges()).toEqual([
    ['bytes 0-16777215/34603008', 308],
    ['bytes */34603008', 308],
    ['bytes 16777216-33554431/34603008', 308],
    ['bytes 33554432-34340863/34603008', 308],
  ])
  expect(puts()[1]?.headers).toMatchObject({ 'content-length': '0' })
  expect(operations().filter((operation) => operation === 'open')).toHaveLength(1)
})

test('replaces a session that is gone or expired, without publishing', async () => {
  const call = await open({ media: [await videoFile(longFilm(17 * 1024 * 1024))] })
  const { resume } = await waiting({ ...call, ctx: slowly(call.ctx, 30_000) })
  for (const status of [404, 410]) {
    fault({ operation: 'status', fault: 'status', status })
    expect((await prepared(call, resume)).ready['session']).not.toBe(resume['session'])
  }
  site.pass(24 * 3_600_000)
  expect((await prepared(await anew(call), resume)).ready['session']).not.toBe(resume['session'])
  expect(platforms.published()).toEqual([])
})

test('a range that another worker sent ends the phase and not the post', async () => {
  const call = await open({ media: [await videoFile(longFilm(17 * 1024 * 1024))] })
  fault({ operation: 'upload', fault: 'status', status: 400 })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', info: { httpStatus: 400 } })
})

test('gives up ranges without progress', async () => {
  const call = await open({ media: [await videoFile(longFilm(17 * 1024 * 1024))] })
  fault({ operation: 'upload', fault: 'status', status: 308 })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', info: { detail: 'no progress' } })
})

test('a lost response is unknown; the session returns the id, also for a repeat', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ operation: '*', fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  const [shown] = platforms.published()
  expect(await probe(call, ready)).toMatchObject({ kind: 'published', url: shown?.url })
  expect(await commit(call, ready)).toMatchObject({ url: shown?.url })
  expect(platforms.published()).toHaveLength(1)
})

test('bytes that never arrived are absent, and can be sent to the same session', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ operation: '*', fault: 'reset_before' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  await commit(call, ready)
  expect(platforms.published()).toHaveLength(1)
})

test('searches the uploads of the channel where the session is gone', async () => {
  const call = await open({ text: 'Same title' })
  await commit(call, (await prepared(call)).ready)
  site.pass(60_000)
  const armedAt = site.now()
  const { ready } = await prepared(call)
  const lastQuery = () => {
    fault({ operation: '*', fault: 'status', status: 404 })
    return probe(call, ready, site.now() - armedAt)
  }
  site.pass(1000)
  expect(await lastQuery()).toEqual({ kind: 'unclear' })
  const { id } = await commit(call, ready)
  expect(await lastQuery()).toMatchObject({ kind: 'published', id })
  expect(sentTo('read').at(-1)?.query).toBe(
    'part=snippet%2CcontentDetails&playlistId=UUdemo00000000000000000&maxResults=50',
  )
})

test('a post that is not listed after ten minutes is absent', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  for (const [agoMs, kind] of [
    [599_999, 'unclear'],
    [600_000, 'absent'],
  ] as const) {
    fault({ operation: '*', fault: 'status', status: 410 })
    expect(await probe(call, ready, agoMs)).toEqual({ kind })
  }
})

test('prepares again a session that is gone or has lost bytes', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ operation: '*', fault: 'status', status: 404 })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
  fault({ operation: '*', fault: 'status', status: 308 })
  expect(await failureOf(commit(call, ready))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: false },
  })
  const long = await open({ media: [await videoFile(longFilm(300_000))] })
  const { ready: second } = await prepared(long)
  fault({ operation: '*', fault: 'status', status: 308 })
  expect(await failureOf(commit(long, second))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: true },
  })
  expect(platforms.published()).toEqual([])
})

const commentCalls = youtube.commentCalls === 'reply' ? undefined : youtube.commentCalls

test('a comment waits for the video, and a lost one is found under it', async () => {
  const post = await open()
  const { id } = await commit(post, (await prepared(post)).ready)
  const videoId = id ?? ''
  const call = await open({ text: 'The recipe', media: [], replyTo: videoId })
  expect(await commentCalls?.prepare?.(call, undefined)).toEqual({ waitSeconds: 60, resume: {} })
  expect(sentTo('video')[0]).toMatchObject({ path: '/youtube/v3/videos', query: `part=status&id=${videoId}` })
  site.pass(60_000)
  expect(await commentCalls?.prepare?.(call, {})).toMatchObject({ ready: {} })
  const attempt = { clientKey: 'c:1', ref: {}, startedAtMs: site.now() }
  expect(await commentCalls?.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await commentCalls?.commit(call, {}, 'c:1', undefined)
  const [sent] = sentTo('comment')
  expect(sent).toMatchObject({ method: 'POST', path: '/youtube/v3/commentThreads', query: 'part=snippet' })
  expect(JSON.parse(String(sent?.body))).toEqual({
    snippet: {
      channelId: call.account.externalId,
      videoId,
      topLevelComment: { snippet: { textOriginal: 'The recipe' } },
    },
  })
  expect(landed?.url).toBe(`https://www.youtube.com/watch?v=${videoId}&lc=${landed?.id}`)
  expect(await commentCalls?.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  expect(sentTo('comments').at(-1)?.query).toBe(
    `part=snippet&videoId=${videoId}&order=time&maxResults=100&textFormat=plainText`,
  )
})

test('a video that YouTube rejects takes no comment, and a refusal says so', async () => {
  const call = await open({ text: 'The recipe', media: [], replyTo: 'gone' })
  const items = [{ status: { uploadStatus: 'rejected' } }]
  fault({ fault: 'status', status: 200, operation: 'video', body: { items } })
  expect(await failureOf(Promise.resolve(commentCalls?.prepare?.(call, undefined)))).toMatchObject({
    errorClass: 'invalid',
  })
  expect(await failureOf(Promise.resolve(commentCalls?.commit(call, {}, 'c:1', undefined)))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('YouTube rejected the comment'),
  })
})

test('a comment looks again ever more rarely, and ends where the video is gone', async () => {
  const call = await open({ text: 'The recipe', media: [], replyTo: 'gone' })
  const waits = async (waitSeconds: number, resume: PreparedRef | undefined) =>
    expect(await commentCalls?.prepare?.(call, resume), `${waitSeconds} s`).toEqual({ waitSeconds, resume: {} })
  await waits(60, undefined)
  site.pass(61_000)
  await waits(61, {})
  site.pass(539_000)
  await waits(600, {})
  site.pass(1)
  expect(await failureOf(Promise.resolve(commentCalls?.prepare?.(call, {})))).toMatchObject({
    errorClass: 'invalid',
    message: 'YouTube no longer has the video.',
  })
  // The video of a post that was late is not known everywhere either.
  await waits(600, undefined)
  const processing = { items: [{ status: { uploadStatus: 'uploaded' } }] }
  fault({ fault: 'status', status: 200, operation: 'video', body: processing, times: 2 })
  await waits(600, {})
  site.pass(3_600_000)
  await waits(900, {})
})
