import { ApiError, type Client, type ClientOptions, client } from '../../functions/client.ts'
import type { Draw } from './draw.ts'
import type { Loop } from './loop.ts'
import type { Tenant } from './world.ts'

/** One request, and how it was answered. */
export interface Request {
  action: string
  status: number
  code: string | undefined
  /** When the response came. */
  atMs: number
}

interface Answered<T> {
  status: number
  body: T | undefined
  /** An earlier try got no clear response: it may have been carried out. */
  isInDoubt: boolean
}

/** A post as its author expects it to be. */
export interface ExpectedPost {
  id: string
  tenant: Tenant
  platform: string
  /** Its texts in their order, each with the earliest time at which it may be published; `sure` if a 2xx confirmed it. */
  texts: { text: string; fromMs: number; sure: boolean }[]
  /** The author got the confirmation of its withdrawal. */
  withdrawn: boolean
  /** The author was warned that it may be live although it is withdrawn or sent again. */
  warned: boolean
  /** The author has deleted it. */
  deleted: boolean
  /** A request about it got no clear response. */
  inDoubt: boolean
  /** Of a tweet: the post that it replies to. */
  after: ExpectedPost | undefined
}

export interface PeopleOptions {
  loop: Loop
  draw: Draw
  baseUrl: string
  tenants: readonly Tenant[]
  /** When no one starts anything anymore. */
  endMs: number
  /** The names of actions that are switched off. */
  without: ReadonlySet<string>
  note(line: string): void
  /** Notes an invariant that a response breaks. */
  violate(violation: string): void
}

const maxTries = 5

/** The callers of the API: their requests go over HTTP, and are repeated as a careful client does. */
export const makePeople = ({ baseUrl, ...options }: PeopleOptions) => {
  const { loop, draw, note } = options
  const expectedPosts: ExpectedPost[] = []
  const sentRequests: Request[] = []
  let requests = 0

  const send: typeof fetch = async (address, init) => {
    requests += 1
    const id = `request-${requests}`
    const headers = new Headers(init?.headers)
    headers.set('X-Request-Id', id)
    // No two arrive at the same moment: each has its own environment on Lambda.
    await loop.wait(undefined, draw(`way of ${id}`) * 50)
    return loop.request(id, async () => {
      const answer = await fetch(address, { ...init, headers })
      return new Response(await answer.text(), answer)
    })
  }

  const apiWith = (own: Omit<ClientOptions, 'baseUrl'>): Client => client({ baseUrl, fetch: send, ...own })

  return {
    ...options,
    expectedPosts,
    sentRequests,
    send,
    apiWith,
    /** The API with the access token of a tenant, or with the session of its owner. */
    apiOf: ({ workspaceId, token, sessionToken }: Tenant, as: 'token' | 'session' = 'token'): Client =>
      apiWith({ workspaceId, token: as === 'token' ? token : sessionToken }),
    /** Retries until there is a clear response, at most five attempts. */
    async attempt<T>(action: string, request: () => Promise<T>): Promise<Answered<T>> {
      for (let tries = 1, isInDoubt = false; ; tries += 1) {
        const { status, body, refusal } = await request().then(
          (body) => ({ status: 200, body, refusal: undefined }),
          (error: unknown) => {
            if (error instanceof ApiError) return { status: error.status, body: undefined, refusal: error }
            throw error
          },
        )
        note(`${action}: ${status}${refusal ? ` ${refusal.code}` : ''}`)
        sentRequests.push({ action, status, code: refusal?.code, atMs: loop.nowMs() })
        isInDoubt ||= status >= 500
        if (status < 500 || tries === maxTries) return { status, body, isInDoubt }
        await loop.wait(undefined, 4 ** tries * 1_000)
      }
    },
  }
}

export type People = ReturnType<typeof makePeople>
