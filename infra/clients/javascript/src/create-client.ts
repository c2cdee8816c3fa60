import type { MediaAsset, Operations, Post } from './api.ts'
import { call, type Sent } from './call.ts'
import { type ListenOptions, listen, type WebhookListener } from './listen.ts'
import { type Operation, operationOf } from './operation.ts'
import { operations } from './operations.ts'
import type { ApiCall, CallOptions, ClientOptions, Page, Result } from './options.ts'
import { type UploadOptions, type UploadSource, upload } from './upload.ts'
import { type WaitOptions, waitUntilPublished } from './wait.ts'

interface AnyPage extends Page<unknown> {
  offset?: number
}

/** The position of the next page; undefined after the last one. */
const after = ({ hasMore, nextCursor, items, offset = 0 }: AnyPage, cursor: unknown) => {
  if (!hasMore) return undefined
  if (typeof nextCursor === 'string') return nextCursor === cursor ? undefined : { cursor: nextCursor }
  return items.length === 0 ? undefined : { offset: offset + items.length }
}

/** Every page of a list. A page may be empty although more follow, but a list whose cursor does not advance ends. */
export async function* pagesOf(
  read: (query: Readonly<Record<string, unknown>>) => Promise<unknown>,
  query: Readonly<Record<string, unknown>>,
): AsyncGenerator<AnyPage, void, undefined> {
  let here: Readonly<Record<string, unknown>> = query
  for (;;) {
    const page = (await read(here)) as AnyPage
    yield page
    const next = after(page, here['cursor'])
    if (next === undefined) return
    // A cursor replaces an offset.
    const { cursor: _cursor, offset: _offset, after: _after, ...rest } = here
    here = { ...rest, ...next }
  }
}

/** Every item of a list. */
async function* itemsOf(pages: AsyncIterable<AnyPage>): AsyncGenerator<unknown, void, undefined> {
  for await (const { items } of pages) yield* items
}

/** What the client adds to the operations of the API. */
export interface Helpers {
  media: {
    /** Uploads a file: announces it, sends its bytes, and completes it. */
    upload(source: UploadSource, options?: UploadOptions): Promise<MediaAsset>
  }
  posts: {
    /** Waits until a post is published, and returns it. Throws a NotPublishedError if it fails or is canceled. */
    waitUntilPublished(id: string, options?: WaitOptions): Promise<Post>
  }
  webhooks: {
    /** A receiver of webhooks: `createServer(client.webhooks.listen({ secret, on }))`. It needs no token. */
    listen(options: ListenOptions): WebhookListener
  }
  /** The same client in another workspace. */
  withWorkspace(workspaceId: string): Client
  /** Sends any request with the client's token, workspace, and retries, for operations that this version does not know. */
  request<T = unknown>(
    method: string,
    path: string,
    sent?: { query?: Readonly<Record<string, unknown>>; body?: unknown },
    options?: CallOptions,
  ): ApiCall<T>
}

/** The API: one method for each operation, grouped as the reference groups them. */
export type Client = Operations & Helpers

const started = (result: Promise<Result<unknown>>): ApiCall<unknown> => {
  const data = result.then((each) => each.data)
  return Object.assign(data, {
    withResponse: () => {
      // The caller waits for the result instead.
      data.catch(() => undefined)
      return result
    },
  })
}

/** The path with its ids. A workspace in the path is also the one in the header. */
const placed = ({ path }: Operation, ids: readonly unknown[]): Sent => {
  let at = 0
  const filled = path.replace(/\{\w+\}/g, (name) => {
    const id = ids[at++]
    if (typeof id !== 'string' || id === '')
      throw new TypeError(`${name} of ${path} must be a string that is not empty.`)
    return encodeURIComponent(id)
  })
  return { path: filled, workspaceId: path.startsWith('/api/workspaces/{') ? String(ids[0]) : undefined }
}

const methodOf = (config: ClientOptions, line: string) => {
  const operation = operationOf(line)
  const idCount = operation.path.split('{').length - 1
  const optionsAt = idCount + (operation.takes === undefined ? 0 : 1)
  const send = async (args: readonly unknown[], query?: Readonly<Record<string, unknown>>) => {
    const payload = operation.takes === undefined ? undefined : (query ?? args[idCount])
    const options = args[optionsAt] as (CallOptions & Pick<Sent, 'query'>) | undefined
    const sent = {
      ...placed(operation, args),
      ...(operation.takes === undefined ? {} : { [operation.takes]: payload }),
      ...(operation.queryInOptions ? { query: options?.query } : {}),
    }
    return call(config, operation, sent, options)
  }
  const method = (...args: unknown[]) => started(send(args))
  if (!operation.lists) return method
  const pages = (...args: unknown[]) =>
    pagesOf(async (query) => (await send(args, query)).data, (args[idCount] ?? {}) as Record<string, unknown>)
  return Object.assign(method, { pages, all: (...args: unknown[]) => itemsOf(pages(...args)) })
}

/** Creates a client of a service. */
export const createClient = (options: ClientOptions): Client => {
  // The table of operations and their types are derived from the same contracts.
  const groups: { [Group in keyof Operations]?: unknown } = Object.fromEntries(
    Object.entries(operations).map(([group, lines]) => [
      group,
      Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, methodOf(options, line)])),
    ]),
  )
  const api = groups as Operations
  return {
    ...api,
    media: { ...api.media, upload: (source, how) => upload(api.media, options, source, how) },
    posts: { ...api.posts, waitUntilPublished: (id, how) => waitUntilPublished(api.posts.get, id, how) },
    webhooks: { ...api.webhooks, listen },
    withWorkspace: (workspaceId) => createClient({ ...options, workspaceId }),
    request: <T>(method: string, path: string, sent = {}, how?: CallOptions) =>
      started(
        call(options, operationOf(`${method} - w${how?.idempotencyKey ? 'k' : ''}`), { path, ...sent }, how),
      ) as ApiCall<T>,
  }
}
