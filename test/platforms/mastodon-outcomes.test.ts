import { expect, test } from 'vitest'
import { mastodonSeed } from '../../infra/local/platforms/mastodon.ts'
import type { Context } from '../../shared/context.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { visitMastodon } from './mastodon-visit.ts'
import { failureOf } from './site.ts'

const { site, open, letIn, prepared, commit, probe, armed, sentTo, fault } = await visitMastodon()
const [person] = mastodonSeed.people

const long = `Two loaves:\n- rye & spelt <fresh>\n\nhttps://bakery.example/a/very/long/way/to/the/bread?day=1 @ann@else.example @bob #bread`

test.each([
  ['a text', { text: 'Hello' }],
  ['a text with links, names, and line breaks', { text: long }],
  ['a text that ends with spaces', { text: ' Hello \n' }],
])('finds %s by its text', async (_, post) => {
  const call = await open(post)
  const { ready } = await prepared(call)
  const landed = await commit(call, ready)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...landed })
  expect(sentTo('read')).toMatchObject([
    { path: `/api/v1/accounts/${person.id}/statuses`, query: 'exclude_reblogs=true&limit=40' },
  ])
  expect(sentTo('source')).toEqual([])
})

test('finds files without a text by their number, and a reply by the post before it', async () => {
  const call = await open({ text: '', media: [await site.file(), await site.file()] })
  const { ready } = await prepared(call)
  const landed = await commit(call, ready)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...landed })
  expect(await probe(call, { ...ready, mediaIds: ['1'] })).toEqual({ kind: 'absent' })
  const reply = { ...call, post: site.post({ text: 'Under it', replyTo: landed.id ?? '' }) }
  const { ready: ref } = await prepared(reply)
  const second = await commit(reply, ref)
  expect(await probe(reply, ref)).toEqual({ kind: 'published', ...second })
  expect(await probe({ ...reply, post: site.post({ text: 'Under it' }) }, ref)).toEqual({ kind: 'absent' })
})

test('a post of another app, an older one, and one with another text do not match', async () => {
  const call = await open({ text: 'Hello' })
  const { ready } = await prepared(call)
  await commit({ ...call, account: await letIn({ clientName: 'Elsewhere' }) }, ready)
  await commit({ ...call, post: site.post({ text: 'Hello again' }) }, { ...ready, text: 'Hello again' })
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  await commit({ ...call, post: site.post() }, ready)
  site.pass(60_000)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
})

/** A context in which the list shows other HTML, as a server does that reads texts as Markdown. */
const showing = (ctx: Context, content: string): Context => ({
  ...ctx,
  async observe(effect, run) {
    const answer = await ctx.observe(effect, run)
    const isList = effect.action.endsWith('/{account}/statuses')
    if (!isList || typeof answer !== 'object' || answer === null || !('body' in answer)) return answer
    const list = JSON.parse(Buffer.from(answer.body as Uint8Array).toString())
    return { ...answer, body: Buffer.from(JSON.stringify(list.map((status: object) => ({ ...status, content })))) }
  },
})

/** A text that landed, which its server shows in another way. */
const markdown = async (): Promise<{ call: PlatformCall; ready: object; landed: object }> => {
  const sent = await open({ text: '**Fresh** [bread](https://bakery.example)' })
  const { ready } = await prepared(sent)
  const landed = await commit(sent, ready)
  const html = '<p><strong>Fresh</strong> <a href="https://bakery.example">bread</a></p>'
  return { call: { ...sent, ctx: showing(sent.ctx, html) }, ready, landed }
}

test('fetches the source where the HTML is ambiguous', async () => {
  const { call, ready, landed } = await markdown()
  expect(await probe(call, { ...ready })).toEqual({ kind: 'published', ...landed })
  expect(sentTo('source')).toHaveLength(1)
  expect(await probe(call, { ...ready, text: 'Fresh bread, **today**' })).toEqual({ kind: 'absent' })
  // Not every server gives the source, and then nothing is certain.
  fault({ fault: 'status', status: 404, operation: 'source', body: { error: 'Record not found' } })
  expect(await probe(call, { ...ready })).toEqual({ kind: 'unclear' })
  expect(await probe({ ...call, ctx: showing(call.ctx, '<p>Something else</p>') }, { ...ready })).toEqual({
    kind: 'absent',
  })
  const before = sentTo('source').length
  site.pass(60_000)
  expect(await probe(call, { ...ready })).toEqual({ kind: 'absent' })
  expect(sentTo('source')).toHaveLength(before)
})

test('fetches at most twenty sources, and then nothing is certain', async () => {
  const { call, ready } = await markdown()
  const other = { ...ready, text: 'Fresh bread, **today**' }
  for (let n = 0; n < 20; n += 1) {
    await commit({ ...call, post: site.post() }, { ...ready, mediaIds: [], text: `Fresh bread ${n}` })
  }
  expect(await probe(call, other)).toEqual({ kind: 'unclear' })
  expect(sentTo('source')).toHaveLength(20)
})

test('an error of the list is passed on', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  for (const script of [{ fault: 'html_503' }, { fault: 'wrong_json' }, { fault: 'token_revoked' }] as const) {
    fault({ ...script, operation: 'read' })
    expect((await failureOf(probe(call, ready))).name).toBe('PlatformError')
  }
})

test('a repeat with the same key within an hour makes no second post, after it a second one', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  const first = await commit(call, ready)
  expect(armed(call, ready).clientKey).toBe(`${call.post.id}:1`)
  expect(await commit(call, ready)).toEqual(first)
  site.pass(3_600_001)
  expect(await commit(call, ready)).not.toEqual(first)
})
