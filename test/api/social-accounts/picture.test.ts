import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { blueskySeed } from '../../../infra/local/platforms/bluesky.ts'
import { equal } from '../../../shared/db/expression.ts'
import { queryAll } from '../../../shared/db/table.ts'
import { jobsPartitionOf } from '../../../shared/media/job.ts'
import { minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { listFiles } from '../../workspaces/files.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())
afterEach(() => kit.platforms.faults.clear())

const { account: person } = blueskySeed
const connect = () =>
  kit.sessionApi.socialAccounts.connectBluesky({
    body: { identifier: person.handle, appPassword: person.appPassword },
  })
const shown = async (id: string) => (await kit.api.socialAccounts.list()).find((account) => account.id === id)
const jobsLeft = () => queryAll(kit.ctx, { key: equal('PK', jobsPartitionOf(kit.workspaceId)) })
const pictures = async () => (await listFiles(kit, kit.workspaceId)).filter((key) => key.includes('/acc_'))

test('the picture of an account is copied to the media host, once more when it is connected again', async () => {
  const first = await connect()
  expect(first).toMatchObject({ profileImageUrl: `${kit.platforms.urls['bluesky']}/face/${person.did}` })
  expect(first.pictureUrl).toBe(null)
  await kit.service.pass(minuteMs)
  const { pictureUrl } = (await shown(first.id)) ?? {}
  const answer = await fetch(String(pictureUrl))
  expect(answer.headers.get('content-type')).toBe('image/webp')
  expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 128, height: 128 })
  expect(await jobsLeft()).toEqual([])

  expect((await connect()).pictureUrl).toBe(pictureUrl)
  await kit.service.pass(minuteMs)
  const later = (await shown(first.id))?.pictureUrl
  expect(later).not.toBe(pictureUrl)
  expect(await pictures()).toEqual([new URL(String(later)).pathname.slice(1)])
})

test('a picture that cannot be fetched is left out, and the earlier one stays', async () => {
  const { id, pictureUrl } = await connect()
  const body = { did: person.did, handle: person.handle, avatar: `${kit.service.inboxUrl}/nothing-here` }
  kit.platforms.faults.add({
    platform: 'bluesky',
    operation: 'profile',
    fault: 'status',
    status: 200,
    body,
    times: 1,
  })
  expect((await connect()).profileImageUrl).toBe(body.avatar)
  await kit.service.pass(minuteMs)
  expect(await shown(id)).toMatchObject({ profileImageUrl: body.avatar, pictureUrl })
  expect(await jobsLeft()).toEqual([])
})
