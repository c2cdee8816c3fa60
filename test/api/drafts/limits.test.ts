import { expect, test } from 'vitest'
import { random62 } from '../../../shared/ids.ts'
import { maxAccounts } from '../../../shared/posts/intake/requests.ts'
import { platformIds } from '../../../shared/resources.ts'
import { makeAsset } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'
import { serveHarnesses } from './harness.ts'

const harnesses = serveHarnesses()

test.each([
  ['content', {}, 'is required'],
  ['content', { content: 1 }, 'must be a string'],
  ['content', { content: 'x'.repeat(100_001) }, 'must have at most 100000 characters'],
  ['content', { content: '語'.repeat(66_667) }, 'must have at most 200000 bytes in UTF-8'],
  ['content', { content: '\ud800' }, 'must not contain half of a surrogate pair'],
  ['name', { content: '', name: 'x'.repeat(201) }, 'must have at most 200 characters'],
  ['name', { content: '', name: '\udc00' }, 'must not contain half of a surrogate pair'],
  ['selectedPlatforms.0', { content: '', selectedPlatforms: ['myspace'] }, 'must be one of x, bluesky'],
  [
    'selectedPlatforms',
    { content: '', selectedPlatforms: Array(platformIds.length + 1).fill('x') },
    `must have at most ${platformIds.length} items`,
  ],
  ['socialAccountIds', { content: '', socialAccountIds: Array(46).fill('a') }, 'must have at most 45 items'],
  ['mediaUrls', { content: '', mediaUrls: Array(51).fill('a') }, 'must have at most 50 items'],
  ['mediaUrls.0', { content: '', mediaUrls: [''] }, 'must have at least 1 character'],
  ['myspace', { content: '', platformContent: { myspace: 'x' } }, 'is not a known field'],
  ['platformContent.x', { content: '', platformContent: { x: 1 } }, 'must be a string'],
  [
    'platformContent',
    { content: '', platformContent: { x: 'y'.repeat(60_001), slack: 'y'.repeat(60_000) } },
    'must have at most 120000 bytes in UTF-8',
  ],
  ['platformMedia.x', { content: '', platformMedia: { x: 'a' } }, 'must be an array'],
  ['metadata', { content: '', metadata: [] }, 'must be an object'],
  ['metadata', { content: '', metadata: { a: 'x'.repeat(40_000) } }, 'must have at most 40000 bytes in UTF-8'],
  ['firstComment.text', { content: '', firstComment: { text: '' } }, 'must have at least 1 character'],
  [
    'firstComment',
    { content: '', firstComment: { text: '語'.repeat(3334) } },
    'must have at most 10000 bytes in UTF-8',
  ],
  [
    'firstCommentByAccount',
    { content: '', firstCommentByAccount: { a: { text: 'x'.repeat(8000) } } },
    'must have at most 8000 bytes in UTF-8',
  ],
  [
    'firstCommentByAccount',
    { content: '', firstCommentByAccount: { '': { text: 'x' } } },
    'must have at least 1 character',
  ],
  [
    'firstCommentByAccount',
    { content: '', firstCommentByAccount: { '\ud800': { text: 'x' } } },
    'half of a surrogate pair',
  ],
  ['version', { content: '', version: 1 }, 'is not a known field'],
  ['id', { content: '', id: 'drf_1' }, 'is not a known field'],
])('rejects a wrong %s and states the rule, on create and on update (%#)', async (field, body, rule) => {
  const { raw, make, read } = harnesses.share()
  const made = await make()
  const created = await raw('POST', '', body)
  expect([created.status, created.body.code]).toEqual([400, 'invalid_input'])
  expect(created.body.error).toContain(rule)
  expect(created.body.field).toContain(field)
  // A change need not have content, and may repeat the id.
  if (rule === 'is required') return
  const changed = await raw('PATCH', `/${made.id}`, body)
  expect([changed.status, changed.body.code]).toEqual([400, 'invalid_input'])
  expect(changed.body.error).toContain(field === 'id' ? 'must be the id in the path' : rule)
  expect(await read(made.id)).toEqual(made)
})

/** Text of every letter that JSON writes in one byte or two, with no pattern in it. */
const noise = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(32 + Math.floor(Math.random() * 95))).join('')

test('the largest possible draft can be created, repeated by Idempotency-Key, updated in steps, and read', async () => {
  const harness = harnesses.share()
  const asset = await makeAsset(harness)
  const files = Array(50).fill(asset.id)
  const parts = {
    content: 'ö'.repeat(100_000),
    name: '語'.repeat(200),
    socialAccountIds: Array(maxAccounts).fill(harness.accounts.bluesky),
    selectedPlatforms: [...platformIds],
    mediaUrls: files,
    platformContent: { x: noise(60_000), slack: noise(60_000) },
    platformMedia: Object.fromEntries(platformIds.map((id) => [id, files])),
    metadata: { reddit: { body: random62(39_976) } },
    firstComment: { text: '語'.repeat(3333) },
    firstCommentByAccount: { [harness.accounts.bluesky]: { text: noise(1000) } },
  }
  const made = await harness.api.drafts.create({ body: parts, idempotencyKey: 'large' })
  expect(made).toMatchObject(parts)
  expect(await harness.api.drafts.create({ body: parts, idempotencyKey: 'large' })).toEqual(made)
  expect(await harness.read(made.id)).toEqual(made)
  const { id } = await harness.make()
  await Promise.all(Object.entries(parts).map(([name, value]) => harness.patch(id, { [name]: value })))
  expect(await harness.read(id)).toMatchObject(parts)
  expect(await refusalOf(harness.patch(id, { content: '語'.repeat(66_667) }))).toMatchObject({ status: 400 })
})
