import { minuteMs } from '../../shared/time.ts'
import { send } from '../limits/callers.ts'
import type { Check } from './check.ts'
import { is, object } from './shape.ts'
import type { World } from './world.ts'

/** Sends so many calls, none of which may be refused for their number, after everyone is at rest. */
const exhaust = async ({ kit }: World, path: string, times: number) => {
  kit.clock.pass(60 * minuteMs)
  const sent = { token: kit.pat, workspaceId: kit.workspaceId }
  for (let n = 0; n < times; n += 1) {
    const { status } = await send(kit, path, path.startsWith('/api/auth') ? {} : sent)
    if (status === 429) throw new Error(`call ${n + 1} of ${path} is refused`)
  }
}

const refusal: Pick<Check, 'status' | 'error' | 'headers' | 'body'> = {
  status: 429,
  error: 'Rate limit exceeded',
  headers: {
    'X-RateLimit-Limit': /^\d+$/,
    'X-RateLimit-Remaining': /^0$/,
    'X-RateLimit-Reset': /^\d+$/,
    'Retry-After': /^[1-9]\d*$/,
  },
  body: object({ success: is(false), error: is('Rate limit exceeded') }),
}

/** Limits, rate limits. There are no `/api/ai` routes. */
export const rateLimits: readonly Check[] = [
  ...['GET /api/posts', 'GET /api/drafts', 'GET /api/social-accounts'].map((route) => ({
    route,
    title: 'is rejected after 100 calls in a minute',
    ...refusal,
    call: async (world: World) => {
      await exhaust(world, route.slice('GET '.length), 100)
      return {}
    },
  })),
  {
    route: 'GET /api/posts',
    title: 'is allowed again after a minute',
    call: async (world) => {
      await exhaust(world, '/api/posts', 100)
      world.kit.clock.pass(minuteMs)
      return {}
    },
    headers: { 'X-RateLimit-Limit': /^100$/ },
  },
  {
    route: 'POST /api/auth/sign-in/email',
    title: 'is rejected after 20 calls in a quarter of an hour',
    ...refusal,
    call: async (world) => {
      await exhaust(world, '/api/auth/verify-email?token=none', 20)
      return { body: { email: 'ann@mail.test', password: 'none of hers' } }
    },
  },
]
