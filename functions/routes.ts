import type { HttpEndpoint } from '../shared/access/endpoint.ts'
import type { Timer, Worker } from '../shared/worker.ts'
import * as api from './api/index.ts'
import * as protocolDoors from './api/oauth/index.ts'
import * as pageDoors from './api/pages/index.ts'
import * as workers from './workers/index.ts'

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** One endpoint in the table: its operation id, its Lambda's file, and the handler with its contract. */
export interface Route {
  /** For example `posts.publishNow`: the operationId, and the call of the client. */
  operation: string
  /** For example `posts-publish-now`: the function's name. */
  name: string
  group: string
  /** The handler's file in functions/, for example `api/posts/publish-now`. */
  entry: string
  endpoint: HttpEndpoint
}

/** Every endpoint, read from the handlers: the only list of endpoints. */
export const routes: readonly Route[] = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([action, endpoint]) => ({
    operation: `${group}.${action}`,
    name: `${kebab(group)}-${kebab(action)}`,
    group: kebab(group),
    entry: `api/${kebab(group)}/${kebab(action)}`,
    endpoint,
  })),
)

/**
 * The operations of the API. The files for language models at the root of the host are not part of it (https://llmstxt.org).
 */
export const describedRoutes: readonly Route[] = routes.filter(({ endpoint }) =>
  endpoint.contract.path.startsWith('/api/'),
)

/** The pages for people: endpoints outside the documented API. */
export const pages: readonly Route[] = Object.entries(pageDoors).map(([action, endpoint]) => ({
  operation: `pages.${action}`,
  name: `pages-${kebab(action)}`,
  group: 'pages',
  entry: `api/pages/${kebab(action)}`,
  endpoint,
}))

/** The OAuth endpoints: the RFCs define their form, and clients find them through the metadata. */
export const protocol: readonly Route[] = Object.entries(protocolDoors).map(([action, endpoint]) => ({
  operation: `oauth.${action}`,
  name: `oauth-${kebab(action)}`,
  group: 'oauth',
  entry: `api/oauth/${kebab(action)}`,
  endpoint,
}))

/** Every route that API Gateway sends to a function. */
export const everyRoute: readonly Route[] = [...routes, ...pages, ...protocol]

/** A queue worker or timer in the table. */
export interface WorkerEntry {
  name: string
  entry: string
  worker: Worker | Timer
}

export const workerTable: readonly WorkerEntry[] = Object.entries(workers).map(([name, worker]) => ({
  name: kebab(name),
  entry: `workers/${kebab(name)}`,
  worker,
}))
