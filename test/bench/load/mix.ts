import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import type { RequestSpec } from './ask.ts'
import type { Author, Child } from './child.ts'
import { metadata, requestOf } from './requests.ts'

interface Known {
  id: string
  author: Author
}

/** A request of the mix, and what it is one of. */
export interface Mixed {
  route: string
  author: Author
  requestSpec: RequestSpec
}

const Scheduled = z.object({ data: z.array(z.object({ id: z.string() })) })

/** How many of a hundred requests go to each route. */
const shares = {
  'POST /api/posts/schedule': 25,
  'GET /api/posts': 15,
  'GET /api/posts/{id}': 20,
  'POST /api/posts/{id}/reschedule': 10,
  'POST /api/posts/{id}/cancel': 10,
  'DELETE /api/posts/{id}': 5,
  'POST /api/posts/validate': 5,
  'POST /api/drafts': 5,
  'GET /api/drafts': 5,
} as const
type Route = keyof typeof shares

/** Requests as authors make them: they act on posts that they have scheduled, each canceled or deleted once. */
export const makeMix = ({ url, authors }: Pick<Child, 'url' | 'authors'>) => {
  const known: Known[] = []
  const routes = Object.entries(shares).flatMap(([route, share]) => Array.from({ length: share }, () => route as Route))
  const pick = <T>(from: readonly T[]): T | undefined => from[randomInt(Math.max(1, from.length))]
  const later = () => new Date(Date.now() + randomInt(2, 48) * 3_600_000).toISOString()
  const request = (author: Author, route: Route, path: string, body?: object): Mixed => {
    const [method = 'GET'] = route.split(' ')
    return { route, author, requestSpec: requestOf(url, author, method, path, body) }
  }
  const onPost = (route: Route) => {
    const at = randomInt(Math.max(1, known.length))
    const ends = route.startsWith('DELETE') || route.endsWith('/cancel')
    const post = ends ? known.splice(at, 1)[0] : known[at]
    if (post === undefined) return undefined
    const path = route.slice(route.indexOf(' ') + 1).replace('{id}', post.id)
    return request(post.author, route, path, route.endsWith('/reschedule') ? { scheduledAt: later() } : undefined)
  }
  const bodyOf = (route: Route, { accounts }: Author): object | undefined => {
    const post = { socialAccountIds: Object.values(accounts), content: `Load ${randomInt(1_000_000)}`, metadata }
    if (route === 'POST /api/posts/schedule') return { ...post, scheduledAt: later() }
    if (route === 'POST /api/drafts') return { content: post.content }
    return route === 'POST /api/posts/validate' ? post : undefined
  }
  const plain = (route: Route) => {
    const author = pick(authors)
    if (author === undefined) throw new Error('there is no author')
    return request(author, route, route.slice(route.indexOf(' ') + 1), bodyOf(route, author))
  }
  return {
    next: (): Mixed => {
      const route = pick(routes) ?? 'GET /api/posts'
      return route.includes('{id}') ? (onPost(route) ?? plain('POST /api/posts/schedule')) : plain(route)
    },
    learn: ({ author, route }: Mixed, status: number, text: string) => {
      if (route !== 'POST /api/posts/schedule' || status !== 201) return
      for (const { id } of z.parse(Scheduled, JSON.parse(text)).data) known.push({ id, author })
    },
  }
}
