import { afterAll, beforeAll, expect, test } from 'vitest'
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

const hourMs = 3_600_000

const move = ({ platformsUrl }: ServiceFile, by: string, unit: string) =>
  fetch(`${platformsUrl}/clock`, { method: 'POST', body: new URLSearchParams({ by, unit }), redirect: 'manual' })

/** The time of the service, to the second, as the header that the console reads. */
const timeOf = async ({ baseUrl }: ServiceFile) =>
  Date.parse((await fetch(`${baseUrl}/local-pages.json`)).headers.get('date') ?? '')

interface Post {
  id: string
  status: string
  publishedAt: string
}

const callerOf = ({ baseUrl, pat, workspaceId }: ServiceFile) => {
  const headers = { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'content-type': 'application/json' }
  return async (path: string, body?: object) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${baseUrl}/api${path}`, { headers, ...init })
    return ((await answer.json()) as { data: Post & [Post] }).data
  }
}

test('the clock is moved past a post, which goes out at once; a restart keeps it', { timeout: 300_000 }, async () => {
  const first = start(folder, '--no-demo')
  const service = await untilUp(folder, first)
  const call = callerOf(service)
  const scheduledAt = new Date(Date.now() + 5 * hourMs).toISOString()
  const [{ id }] = await call('/posts/schedule', {
    ...{ socialAccountIds: [service.accounts['bluesky']], content: 'In five hours', scheduledAt },
  })
  expect((await move(service, '0', 'hours')).status).toBe(400)
  expect(await (await move(service, '2', 'years')).text()).toContain('The unit is one of minutes, hours, days.')
  expect(Math.abs((await timeOf(service)) - Date.now())).toBeLessThan(3_000)

  const answer = await move(service, '5', 'hours')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/clock'])
  expect(await (await fetch(`${service.platformsUrl}/clock`)).text()).toContain('0 d 5 h 0 min ahead of this machine')
  const published = await until('the post is published', async () => {
    const { status, publishedAt } = await call(`/posts/${id}`)
    return status === 'published' ? publishedAt : undefined
  })
  expect(Date.parse(published)).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
  expect(Date.parse(published) - Date.parse(scheduledAt)).toBeLessThan(60_000)
  signalGroup(first, 'SIGTERM')
  await untilNothingRuns(folder)

  const second = start(folder, '--no-demo')
  const again = await untilUp(folder, second)
  expect((await timeOf(again)) - Date.now()).toBeGreaterThan(5 * hourMs - 3_000)
  expect((await callerOf(again)(`/posts/${id}`)).status).toBe('published')
  signalGroup(second, 'SIGTERM')
  await untilNothingRuns(folder)
})
