import { TransactionConflictException } from '@aws-sdk/client-dynamodb'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../functions/client.ts'
import type { UpdateDraftRequest } from '../../../shared/drafts/requests.ts'
import { platformIds } from '../../../shared/resources.ts'
import { serveHarnesses } from './harness.ts'

const harnesses = serveHarnesses()

test('every response with one draft has an ETag that changes with the draft', async () => {
  const { raw, url } = harnesses.share()
  const made = await raw('POST', '', { content: 'a' })
  const path = `/${made.body.data.id}`
  const changed = await raw('PATCH', path, { content: 'b' })
  const read = await raw('GET', path)
  expect([made, changed, read].map(({ etag }) => etag)).toEqual(['"1"', '"2"', '"2"'])
  expect((await raw('GET', '')).etag).toBeNull()
  expect((await raw('DELETE', path)).etag).toBeNull()
  expect(read.headers.get('Access-Control-Expose-Headers')).toContain('ETag')
  const preflight = await fetch(`${url}/api/drafts/${made.body.data.id}`, { method: 'OPTIONS' })
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('If-Match')
})

const current = { error: expect.stringContaining('is now "2"'), code: 'draft_changed', field: 'If-Match' }

test.each([
  ['"2"', true],
  ['"1", "2", "3"', true],
  ['*', true],
  ['"1"', false],
  ['"3"', false],
  ['W/"2"', false],
  ['"another"', false],
])('at version 2 of a draft, If-Match: %s allows updates: %s', async (ifMatch, passes) => {
  const { raw, make, patch, read } = harnesses.share()
  const { id } = await make()
  const before = await patch(id, { content: 'as it was' })
  const change = () => raw('PATCH', `/${id}`, { content: 'changed' }, { 'If-Match': ifMatch })
  const remove = () => raw('DELETE', `/${id}`, undefined, { 'If-Match': ifMatch })
  // A change of nothing is bound to the version, too.
  const touch = () => raw('PATCH', `/${id}`, {}, { 'If-Match': ifMatch })
  if (passes) {
    expect([(await touch()).status, (await remove()).status]).toEqual([200, 200])
    return
  }
  for (const call of [change, touch, remove]) {
    const refused = await call()
    expect([refused.status, refused.etag]).toEqual([412, '"2"'])
    expect(refused.body).toMatchObject({ success: false, ...current })
  }
  expect(await read(id)).toEqual(before)
})

test('an invalid If-Match returns 400, even for a draft that does not exist', async () => {
  const { raw, make, read } = harnesses.share()
  const made = await make()
  for (const path of [`/${made.id}`, '/drf_none']) {
    const headers = { 'If-Match': '1' }
    const answers = [await raw('PATCH', path, { content: 'x' }, headers), await raw('DELETE', path, undefined, headers)]
    for (const { status, body } of answers) expect([status, body.field]).toEqual([400, 'If-Match'])
  }
  expect(await raw('PATCH', '/drf_none', { content: 'x' }, { 'If-Match': '*' })).toMatchObject({ status: 404 })
  expect(await read(made.id)).toEqual(made)
})

const outcomeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status
      throw error
    },
  )

test('one of two editors who save concurrently gets a conflict, and no change is lost', async () => {
  const { make, patch, read } = harnesses.share()
  const pairs = Array.from({ length: 20 }, async (_, n) => {
    const { id } = await make({ content: 'first' })
    const save = (name: string) => outcomeOf(patch(id, { name, content: `by ${name}` }, '"1"'))
    const [ann, bob] = await Promise.all([save(`Ann ${n}`), save(`Bob ${n}`)])
    expect([ann, bob].sort()).toEqual([200, 412])
    const winner = ann === 200 ? `Ann ${n}` : `Bob ${n}`
    expect(await read(id)).toMatchObject({ name: winner, content: `by ${winner}`, version: 2 })
    // The loser reads, merges and saves again.
    expect(await outcomeOf(patch(id, { content: 'merged' }, '"2"'))).toBe(200)
  })
  await Promise.all(pairs)
})

test('one of a concurrent update and delete with the same version succeeds', async () => {
  const { make, patch, remove, read, api } = await harnesses.open()
  let deleted = 0
  const rounds = Array.from({ length: 20 }, async () => {
    const { id } = await make()
    const [changed, removed] = await Promise.all([
      outcomeOf(patch(id, { content: 'kept' }, '"1"')),
      outcomeOf(remove(id, '"1"')),
    ])
    if (removed === 200) {
      deleted += 1
      expect([404, 412]).toContain(changed)
      expect(await outcomeOf(read(id))).toBe(404)
    } else {
      expect([changed, removed]).toEqual([200, 412])
      expect((await read(id)).content).toBe('kept')
    }
  })
  await Promise.all(rounds)
  expect((await api.drafts.list()).total).toBe(20 - deleted)
})

test('concurrent updates of different fields are all preserved without If-Match', async () => {
  const { make, patch, read, accounts } = harnesses.share()
  const fields = {
    content: 'c',
    name: 'n',
    socialAccountIds: [accounts.bluesky],
    selectedPlatforms: ['x' as const],
    platformContent: { slack: 's' },
    metadata: { reddit: { title: 't' } },
  }
  const { id } = await make()
  await Promise.all(Object.entries(fields).map(([name, value]) => patch(id, { [name]: value })))
  expect(await read(id)).toMatchObject({ ...fields, version: 1 + Object.keys(fields).length })
})

test('retries an update that conflicts with a transaction on its row', async () => {
  const { make, patch } = harnesses.share()
  const { id } = await make()
  let conflicts = 0
  const changed = await harnesses.watch(
    ({ action }, run) => {
      if (action !== 'UpdateItem' || conflicts === 3) return run()
      conflicts += 1
      throw new TransactionConflictException({ message: 'in use', $metadata: {} })
    },
    () => patch(id, { content: 'in the end' }),
  )
  expect([conflicts, changed.content, changed.version]).toEqual([3, 'in the end', 2])
})

const platform = fc.constantFrom(...platformIds)
/** Without U+FFFD, which a body has to escape (test/http/wire.test.ts). */
const texts = fc.string({ maxLength: 20, unit: 'grapheme' }).filter((text) => !text.includes('\ufffd'))
const cleared = fc.constant(null)
/** Names that a body may not hold are refused; that is tested elsewhere. */
const metadata = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  .filter((given) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(given)))

// A name is one line (shared/text/single-line.ts).
const names = texts.filter((text) => !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text))
const changes: fc.Arbitrary<UpdateDraftRequest> = fc.record(
  {
    content: texts,
    name: fc.oneof(names, cleared),
    selectedPlatforms: fc.oneof(fc.array(platform, { maxLength: 4 }), cleared),
    platformContent: fc.oneof(fc.dictionary(platform, texts, { maxKeys: 4 }), cleared),
    metadata: fc.oneof(metadata, cleared),
  },
  { requiredKeys: [] },
)

/** What null leaves behind. */
const emptied = { name: null, selectedPlatforms: [], platformContent: {}, metadata: {} }

test('any sequence of updates adds up', async () => {
  const { make, patch, read } = harnesses.share()
  const holds = fc.asyncProperty(fc.array(changes, { maxLength: 6 }), async (all) => {
    let model: Record<string, unknown> = { ...(await make({ content: '' })) }
    for (const change of all) {
      const sent = Object.entries(change)
      const set = sent.map(([name, value]) => [
        name,
        value ?? Object.entries(emptied).find(([field]) => field === name)?.[1],
      ])
      const version = Number(model['version']) + (sent.length > 0 ? 1 : 0)
      // JSON knows no minus zero.
      model = JSON.parse(JSON.stringify({ ...model, ...Object.fromEntries(set), version }))
      expect(await patch(String(model['id']), change)).toEqual(model)
    }
    expect(await read(String(model['id']))).toEqual(model)
  })
  await fc.assert(holds, { numRuns: 20 })
})
