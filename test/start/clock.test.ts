import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { hourMs } from '../../shared/time.ts'
import {
  buildWithinMs,
  built,
  makeFolder,
  removeFolder,
  type ServiceFile,
  signalGroup,
  start,
  until,
  untilNothingRuns,
  untilUp,
} from './processes.ts'

const folder = makeFolder()
beforeAll(built, buildWithinMs)
afterAll(() => removeFolder(folder))

const move = ({ platformsUrl }: ServiceFile, by: string, unit: string) =>
  fetch(`${platformsUrl}/clock`, { method: 'POST', body: new URLSearchParams({ by, unit }), redirect: 'manual' })

/** The time of the service, to the second, as the header that the console reads. */
const timeOf = async ({ baseUrl }: ServiceFile) =>
  Date.parse((await fetch(`${baseUrl}/local-pages.json`)).headers.get('date') ?? '')

const apiOf = ({ baseUrl, pat: token, workspaceId }: ServiceFile) => client({ baseUrl, token, workspaceId })

test('the clock is moved past a post, which is published immediately; a restart keeps the time', {
  timeout: 300_000,
}, async () => {
  const first = start(folder, '--no-demo')
  const service = await untilUp(folder, first)
  const { posts } = apiOf(service)
  const scheduledAt = new Date(Date.now() + 5 * hourMs).toISOString()
  const [post] = await posts.schedule({
    body: { socialAccountIds: [service.accounts['bluesky'] ?? ''], content: 'In five hours', scheduledAt },
  })
  const params = { id: post?.id ?? '' }
  expect((await move(service, '0', 'hours')).status).toBe(400)
  expect(await (await move(service, '2', 'years')).text()).toContain('The unit is one of minutes, hours, days.')
  expect(Math.abs((await timeOf(service)) - Date.now())).toBeLessThan(3_000)

  const answer = await move(service, '5', 'hours')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/clock'])
  expect(await (await fetch(`${service.platformsUrl}/clock`)).text()).toContain('0 d 5 h 0 min ahead of this machine')
  const published = await until('the post is published', async () => {
    const { status, publishedAt } = await posts.get({ params })
    return status === 'published' ? (publishedAt ?? undefined) : undefined
  })
  expect(Date.parse(published)).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
  expect(Date.parse(published) - Date.parse(scheduledAt)).toBeLessThan(60_000)
  signalGroup(first, 'SIGTERM')
  await untilNothingRuns(folder)

  const second = start(folder, '--no-demo')
  const again = await untilUp(folder, second)
  expect((await timeOf(again)) - Date.now()).toBeGreaterThan(5 * hourMs - 3_000)
  expect((await apiOf(again).posts.get({ params })).status).toBe('published')
  signalGroup(second, 'SIGTERM')
  await untilNothingRuns(folder)
})
