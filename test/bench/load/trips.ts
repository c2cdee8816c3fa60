import * as z from 'zod/mini'
import { hourMs } from '../../../shared/time.ts'
import { requestExpecting } from './ask.ts'
import type { Child } from './child.ts'
import { timeOneByOne } from './measure.ts'
import { requestOf, scheduleOne } from './requests.ts'
import { tabulate } from './steps.ts'

const Posts = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Requests that are sent one at a time. */
export const openTrips = async (child: Child) => {
  const { url, author } = child
  let n = 0
  const schedule = () => {
    n += 1
    return requestExpecting(
      201,
      scheduleOne(child, author.accounts.bluesky, `Bench ${n}.`, Date.now() + (2 + n) * hourMs),
    )
  }
  const [post] = z.parse(Posts, JSON.parse(await schedule())).data
  return {
    'GET /api/health': () => requestExpecting(200, { url: `${url}/api/health`, method: 'GET' }),
    '401 without a token': () => requestExpecting(401, { url: `${url}/api/posts`, method: 'GET' }),
    'GET /api/posts/{id}': () => requestExpecting(200, requestOf(url, author, 'GET', `/api/posts/${post?.id}`)),
    'POST /api/posts/schedule': schedule,
  } as const
}

type Trips = Awaited<ReturnType<typeof openTrips>>

/** So many of each, so that Node has compiled what they run. */
export const warmUp = async (trips: Trips, times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) for (const trip of Object.values(trips)) await trip()
}

/** The time of each trip, one at a time. */
export const timeTrips = async (trips: Trips, times: number) => {
  const timed = []
  for (const [name, trip] of Object.entries(trips)) {
    timed.push({ name, ...(await timeOneByOne(times, async () => void (await trip()))) })
  }
  return timed
}

const traced = ['GET /api/posts/{id}', 'POST /api/posts/schedule'] as const

/** Where the time of two of them goes, step by step. */
export const traceTrips = async (child: Child, trips: Trips, times: number): Promise<string> => {
  await child.trace()
  for (const name of traced) for (let n = 0; n < times; n += 1) await trips[name]()
  const requests = await child.stopTrace()
  return traced
    .map((name) => {
      const [method = ''] = name.split(' ')
      return tabulate(
        name,
        requests.filter(({ route }) => route.startsWith(method)),
      )
    })
    .join('\n\n')
}
