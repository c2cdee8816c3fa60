import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { discordSeed } from '../../../infra/local/platforms/discord/seed.ts'
import type { Author, Ready } from './serve.ts'

interface Known {
  id: string
  author: z.infer<typeof Author>
}

const channel = discordSeed.channels.find(({ name }) => name === 'general')
const metadata = { discord: { channelId: channel?.id } }

const Scheduled = z.object({ data: z.array(z.object({ id: z.string() })) })

/** How many of a hundred requests go to each route. */
const shares = {
  'POST /api/posts/schedule': 30,
  'GET /api/posts': 15,
  'GET /api/posts/{id}': 20,
  'POST /api/posts/{id}/reschedule': 10,
  'POST /api/posts/{id}/cancel': 15,
  'DELETE /api/posts/{id}': 5,
  'POST /api/posts/validate': 5,
} as const
type Route = keyof typeof shares

/** Requests as authors make them: they act on posts that they have scheduled, each cancelled or deleted once. */
export const makeMix = ({ url, authors }: z.infer<typeof Ready>) => {
  const known: Known[] = []
  const routes = Object.entries(shares).flatMap(([route, share]) => Array.from({ length: share }, () => route as Route))
  const pick = <T>(from: readonly T[]): T | undefined => from[randomInt(Math.max(1, from.length))]
  const later = () => new Date(Date.now() + randomInt(2, 48) * 3_600_000).toISOString()
  const request = (author: z.infer<typeof Author>, route: Route, path: string, body?: object) => {
    const [method = 'GET'] = route.split(' ')
    const headers = {
      Authorization: `Bearer ${author.pat}`,
      'X-Workspace-Id': author.workspaceId,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    }
    return {
      route,
      author,
      request: { url: `${url}${path}`, method, headers, ...(body ? { body: JSON.stringify(body) } : {}) },
    }
  }
  const onPost = (route: Route) => {
    const at = randomInt(Math.max(1, known.length))
    const ends = route.startsWith('DELETE') || route.endsWith('/cancel')
    const post = ends ? known.splice(at, 1)[0] : known[at]
    if (post === undefined) return undefined
    const path = route.slice(route.indexOf(' ') + 1).replace('{id}', post.id)
    return request(post.author, route, path, route.endsWith('/reschedule') ? { scheduledAt: later() } : undefined)
  }
  const schedule = () => {
    const author = pick(authors)
    if (author === undefined) throw new Error('there is no author')
    const socialAccountIds = Object.values(author.accounts)
    const content = `Load ${randomInt(1_000_000)}`
    const body = { socialAccountIds, content, metadata, scheduledAt: later() }
    return request(author, 'POST /api/posts/schedule', '/api/posts/schedule', body)
  }
  return {
    next: () => {
      const route = pick(routes) ?? 'GET /api/posts'
      const author = pick(authors)
      if (author === undefined || route === 'POST /api/posts/schedule') return schedule()
      if (route.includes('{id}')) return onPost(route) ?? schedule()
      if (route === 'GET /api/posts') return request(author, route, '/api/posts')
      const socialAccountIds = Object.values(author.accounts)
      return request(author, route, '/api/posts/validate', { socialAccountIds, content: 'Valid', metadata })
    },
    learn: (author: z.infer<typeof Author>, route: string, status: number, body: unknown) => {
      if (route !== 'POST /api/posts/schedule' || status !== 201) return
      for (const { id } of z.parse(Scheduled, body).data) known.push({ id, author })
    },
  }
}
