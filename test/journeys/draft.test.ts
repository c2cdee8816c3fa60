import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { channelId } from './author.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

test('a draft that no platform accepts becomes publishable posts through validate and updates', async () => {
  const kit = await start()
  const { api, accounts, clock } = kit
  const asset = await uploadPng(kit)
  const began = await api.drafts.create({
    body: {
      name: 'Spring sale',
      content: `${'long '.repeat(80)}`,
      socialAccountIds: [accounts.bluesky, accounts.discord],
      selectedPlatforms: ['bluesky', 'discord'],
      mediaUrls: [asset.storageKey],
      platformMedia: { discord: [] },
    },
  })
  /** What of a draft a post is made of. */
  const postOf = ({
    socialAccountIds,
    content,
    mediaUrls,
    platformContent,
    platformMedia,
    metadata,
  }: typeof began) => ({
    socialAccountIds,
    content,
    mediaUrls,
    platformContent,
    platformMedia,
    metadata,
  })
  const first = await api.posts.validate({ body: postOf(began) })
  expect(first.valid).toBe(false)
  expect(first.issues.map(({ platform, code }) => `${platform} ${code}`).sort()).toEqual([
    'bluesky content_length',
    'discord metadata_required',
  ])
  const params = { id: began.id }
  const change = { platformContent: { bluesky: 'Short and sweet' }, metadata: { discord: { channelId } } }
  const ready = await api.drafts.update({ params, body: change, ifMatch: '"1"' })
  expect(await api.posts.validate({ body: postOf(ready) })).toMatchObject({ valid: true, issues: [], warnings: [] })
  const scheduledAt = new Date(clock.now() + 20 * minuteMs).toISOString()
  const posts = await api.posts.schedule({ body: { ...postOf(ready), scheduledAt } })
  expect(posts.map(({ content, mediaUrls }) => [content, mediaUrls])).toEqual([
    ['Short and sweet', [asset.id]],
    [began.content, []],
  ])
  await kit.service.pass(21 * minuteMs)
  expect(kit.platforms.published().map(({ platform, text }) => [platform, text.trim()])).toEqual(
    expect.arrayContaining([
      ['bluesky', 'Short and sweet'],
      ['discord', began.content.trim()],
    ]),
  )
  // The draft is what it was: it never turns into a post, and no post is listed as one.
  expect(await api.drafts.get({ params })).toEqual(ready)
  expect((await api.posts.list({ query: { status: 'draft' } })).total).toBe(0)
  expect(await api.drafts.delete({ params, ifMatch: '"2"' })).toEqual({ id: began.id, deleted: true })
  await expectSound(kit)
})
