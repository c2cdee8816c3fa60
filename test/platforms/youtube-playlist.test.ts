import { expect, test } from 'vitest'
import { youtubeSeed } from '../../infra/local/platforms/youtube.ts'
import { youtube as connector } from '../../shared/platforms/youtube/connect.ts'
import { youtube } from '../../shared/platforms/youtube/publish.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { platforms, operations, sentTo, fault, open, prepared, commit, probe } = await visit(youtube, connector)
const [playlistId] = youtubeSeed.playlists
const shown = () => platforms.published().map(({ extras }) => extras)

test('a video is put at the end of the playlist right after it is live', async () => {
  const call = await open({ metadata: { playlistId } })
  const { ready } = await prepared(call)
  const { id, ...landed } = await commit(call, ready)
  expect(landed).toEqual({ url: `https://www.youtube.com/watch?v=${id}` })
  expect(operations().slice(-3)).toEqual(['create', 'read', 'playlist'])
  expect(sentTo('read').at(-1)?.query).toBe(`part=id&playlistId=${playlistId}&videoId=${id}`)
  const [sent] = sentTo('playlist')
  expect([sent?.path, sent?.query, sent?.headers['authorization']]).toEqual([
    '/youtube/v3/playlistItems',
    'part=snippet',
    `Bearer ${call.account.credentials['accessToken']}`,
  ])
  expect(JSON.parse(String(sent?.body))).toEqual({
    snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId: id } },
  })
  expect(shown()).toEqual([[`in the playlist ${playlistId}`]])
})

test('after lost responses of the video and of the playlist, the video is in the playlist once', async () => {
  const call = await open({ metadata: { playlistId } })
  const { ready } = await prepared(call)
  fault({ operation: 'create', fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(shown()).toEqual([[]])
  fault({ operation: 'playlist', fault: 'landed_then_reset' })
  const changed = { ...call, post: { ...call.post, metadata: undefined } }
  expect(await probe(changed, ready)).not.toHaveProperty('warning')
  expect(await commit(call, ready)).not.toHaveProperty('warning')
  expect(sentTo('playlist')).toHaveLength(1)
  expect(shown()).toEqual([[`in the playlist ${playlistId}`]])
})

test.each([
  ['a playlist of another channel', { metadata: { playlistId: 'PLanother0000' } }, undefined, /no such playlist\.$/],
  ['a quota', {}, 'quotaExceeded', /used up/],
  ['a missing scope', {}, 'insufficientPermissions', /Reconnect the account/],
] as const)('the video is live in spite of %s', async (_, post, reason, warning) => {
  const call = await open({ metadata: { playlistId }, ...post })
  const { ready } = await prepared(call)
  const body = { error: { code: 403, message: 'their words', errors: [{ reason }] } }
  if (reason !== undefined) fault({ operation: 'playlist', fault: 'status', status: 403, body })
  const landed = await commit(call, ready)
  expect(landed).toMatchObject({ id: expect.any(String), warning: expect.stringMatching(warning) })
  expect(landed.warning).toMatch(/^The video was not put into the playlist: /)
  expect(platforms.published()).toHaveLength(1)
})

test('a response that is lost and nothing landed is not sent again', async () => {
  const call = await open({ metadata: { playlistId } })
  const { ready } = await prepared(call)
  fault({ operation: 'playlist', fault: 'reset_before' })
  expect((await commit(call, ready)).warning).toMatch(/^The video was not put into the playlist: /)
  expect(sentTo('playlist')).toHaveLength(1)
})
