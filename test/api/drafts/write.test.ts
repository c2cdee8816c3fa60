import { expect, test } from 'vitest'
import { draftBody, makeAsset } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf } from '../answers.ts'
import { serveHarnesses } from './harness.ts'

const harnesses = serveHarnesses()

const empty = {
  name: null,
  socialAccountIds: [],
  selectedPlatforms: [],
  mediaUrls: [],
  platformContent: {},
  platformMedia: {},
  metadata: {},
}

test('a draft stores every field of the request and returns the others empty', async () => {
  const harness = await harnesses.openConnected()
  const body = await draftBody(harness)
  const at = new Date(harness.clock.now()).toISOString()
  const full = await harness.make(body)
  expect(full).toEqual({ ...body, id: full.id, version: 1, createdAt: at, updatedAt: at })
  expect(await harness.read(full.id)).toEqual(full)
  const bare = await harness.make({ content: '' })
  expect(bare).toEqual({ ...empty, id: bare.id, content: '', version: 1, createdAt: at, updatedAt: at })
})

test('an update sets the given fields, clears those that are null, and keeps the rest', async () => {
  const harness = await harnesses.openConnected()
  const body = await draftBody(harness)
  const made = await harness.make(body)
  harness.clock.pass(5000)
  const at = new Date(harness.clock.now()).toISOString()
  const changed = await harness.patch(made.id, {
    id: made.id,
    name: null,
    platformContent: { x: 'Short' },
    metadata: null,
  })
  const after = { ...body, name: null, platformContent: { x: 'Short' }, metadata: {} }
  expect(changed).toEqual({ ...after, id: made.id, version: 2, createdAt: made.createdAt, updatedAt: at })
  const { socialAccountIds, selectedPlatforms, mediaUrls, platformContent, platformMedia } = empty
  const lists = { socialAccountIds, selectedPlatforms, mediaUrls, platformContent, platformMedia }
  expect(await harness.patch(made.id, lists)).toMatchObject({ ...lists, content: body.content, version: 3 })
  await harness.patch(made.id, { ...body })
  const cleared = { socialAccountIds: null, selectedPlatforms: null, mediaUrls: null, platformMedia: null }
  expect(await harness.patch(made.id, cleared)).toMatchObject({
    ...empty,
    ...body,
    ...lists,
    platformContent: body.platformContent,
  })
  // What was read can be sent back, but for what the service itself writes.
  const { version: _, createdAt: __, updatedAt: ___, ...read } = await harness.read(made.id)
  expect(await harness.patch(made.id, read)).toMatchObject({ ...read, version: 6 })
})

test('an empty update changes nothing', async () => {
  const harness = await harnesses.open()
  const made = await harness.make()
  harness.clock.pass(5000)
  expect(await harness.patch(made.id, {})).toEqual(made)
  expect(await harness.patch(made.id, { id: made.id })).toEqual(made)
  expect(await harness.read(made.id)).toEqual(made)
})

test('accepts files by id, URL, or storage key, and returns their ids', async () => {
  const harness = await harnesses.open()
  const [one, two] = [await makeAsset(harness), await makeAsset(harness)]
  const mediaUrls = [one.id, two.storageKey, `${harness.ctx.env('MEDIA_URL')}/${two.storageKey}`]
  const made = await harness.make({ content: '', mediaUrls, platformMedia: { x: [one.storageKey], slack: [] } })
  expect(made).toMatchObject({ mediaUrls: [one.id, two.id, two.id], platformMedia: { x: [one.id], slack: [] } })
  const changed = await harness.patch(made.id, { platformMedia: { bluesky: [two.storageKey] } })
  expect(changed.platformMedia).toEqual({ bluesky: [two.id] })
})

test('rejects what the workspace does not have with 404, names the field, and stores nothing', async () => {
  const [harness, other] = [await harnesses.openConnected(), await harnesses.openConnected()]
  const foreign = await makeAsset(other)
  const made = await harness.make()
  const account = other.accounts.bluesky
  const wrong = [
    [{ mediaUrls: [foreign.id] }, foreign.id, 'media_not_found', 'mediaUrls'],
    [{ mediaUrls: [foreign.storageKey] }, foreign.storageKey, 'media_not_found', 'mediaUrls'],
    [{ mediaUrls: ['no such thing'] }, 'no such thing', 'media_not_found', 'mediaUrls'],
    [{ platformMedia: { x: [], slack: [foreign.id] } }, foreign.id, 'media_not_found', 'platformMedia.slack'],
    [{ socialAccountIds: [harness.accounts.bluesky, account] }, account, 'account_not_found', 'socialAccountIds'],
  ] as const
  for (const [sent, id, code, field] of wrong) {
    const body = JSON.parse(JSON.stringify(sent))
    const error =
      code === 'media_not_found'
        ? `This workspace has no media ${id}. Ids of media start with "med_". Upload a file first with POST /api/media/upload-url.`
        : `This workspace has no account ${id}.`
    const refusal = { status: 404, success: false, error, code, field }
    expect(await refusalOf(harness.make({ content: 'x', ...body }))).toEqual(refusal)
    expect(await refusalOf(harness.patch(made.id, { content: 'x', ...body }))).toEqual(refusal)
  }
  expect(await harness.api.drafts.list()).toMatchObject({ total: 1, items: [made] })
})

test('a file or account that is deleted later stays in the draft, and validate reports it', async () => {
  const harness = await harnesses.openConnected()
  const [remaining, gone] = [await makeAsset(harness), await makeAsset(harness)]
  const { bluesky, discord } = harness.accounts
  const made = await harness.make({
    content: 'x',
    mediaUrls: [remaining.id, gone.id],
    socialAccountIds: [bluesky, discord],
  })
  // A draft holds no file back.
  expect(await harness.api.media.delete({ params: { id: gone.id } })).toEqual({ id: gone.id, deleted: true })
  await harness.api.socialAccounts.disconnect({ params: { id: bluesky } })
  expect(await harness.read(made.id)).toEqual(made)
  // An editor saves the whole draft: what was in it is no obstacle, under any of its names.
  const { mediaUrls, socialAccountIds } = made
  expect(await harness.patch(made.id, { content: 'y', mediaUrls, socialAccountIds })).toMatchObject({ mediaUrls })
  expect(await harness.patch(made.id, { mediaUrls: [gone.storageKey] })).toMatchObject({ mediaUrls: [gone.id] })
  const { issues } = await harness.api.posts.validate({ body: { content: 'y', mediaUrls, socialAccountIds } })
  expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining(['media_not_found', 'account_disconnected']))
  // Once taken out it is as missing as any.
  await harness.patch(made.id, { mediaUrls: [] })
  expect(await refusalOf(harness.patch(made.id, { mediaUrls: [gone.id] }))).toMatchObject({ code: 'media_not_found' })
})

test('a repeated request with the same Idempotency-Key creates one draft', async () => {
  const harness = await harnesses.open()
  const make = (content: string) => harness.raw('POST', '', { content }, { 'Idempotency-Key': 'k' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => make('once')))
  expect(answers.map(({ status, etag }) => [status, etag])).toEqual(answers.map(() => [201, '"1"']))
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  expect((await harness.api.drafts.list()).total).toBe(1)
  expect((await make('another')).status).toBe(422)
})

test('deletes a draft once', async () => {
  const harness = await harnesses.open()
  const made = await harness.make()
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => harness.remove(made.id)))
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect(done).toEqual([{ id: made.id, deleted: true }])
  const gone = { status: 404, code: 'draft_not_found', field: 'id' }
  expect(await refusalOf(harness.read(made.id))).toMatchObject(gone)
  expect(await refusalOf(harness.patch(made.id, { content: 'x' }))).toMatchObject(gone)
  expect(await refusalOf(harness.remove(made.id))).toMatchObject(gone)
  expect(await harness.api.drafts.list()).toMatchObject({ items: [], total: 0 })
  const left = (await scanTable(harness)).filter(({ PK }) => PK === `WS#${harness.workspaceId}#DRAFT`)
  expect(left).toEqual([])
})

test('a draft of another workspace returns 404', async () => {
  const [harness, other] = [await harnesses.open(), await harnesses.open()]
  const { id } = await other.make()
  for (const call of [() => harness.read(id), () => harness.patch(id, { content: 'mine' }), () => harness.remove(id)]) {
    expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'draft_not_found' })
  }
  expect((await other.read(id)).content).toBe('Words')
})

test('a draft keeps its first comments, and can be sent to validate and schedule unchanged', async () => {
  const harness = await harnesses.openConnected()
  const own = { firstCommentByAccount: { [harness.accounts.discord]: null } }
  const made = await harness.make({ ...(await draftBody(harness)), ...own })
  const { socialAccountIds, content, mediaUrls, metadata, platformContent, platformMedia } = made
  const { firstComment, firstCommentByAccount } = await harness.read(made.id)
  const body = {
    socialAccountIds,
    content,
    mediaUrls,
    metadata,
    platformContent,
    platformMedia,
    firstComment,
    firstCommentByAccount,
  }
  expect(await harness.api.posts.validate({ body })).toMatchObject({ valid: true })
  const scheduledAt = new Date(harness.clock.now() + 3_600_000).toISOString()
  const posts = await harness.api.posts.schedule({ body: { ...body, scheduledAt } })
  const comments = posts.map(({ platform, firstComment: comment }) => [platform, comment?.text, comment?.delaySeconds])
  expect(comments.toSorted()).toEqual([
    ['bluesky', 'The recipe is on our site.', 60],
    ['discord', undefined, undefined],
  ])
  const cleared = await harness.patch(made.id, { firstComment: null, firstCommentByAccount: null })
  expect([cleared.firstComment, cleared.firstCommentByAccount]).toEqual([undefined, undefined])
})
