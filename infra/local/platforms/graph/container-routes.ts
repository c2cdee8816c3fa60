import { dayMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Login } from '../oauth/login.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { ContainerState, Containers, StoredContainer, StoredPost } from './containers.ts'
import { showPage } from './pages.ts'
import { pickFields, tokenIn } from './read.ts'
import { assertPermission, type GraphError, refuse, unknownObject } from './refuse.ts'
import type { GraphTokens } from './tokens.ts'

/** How a platform turns containers into posts, and shows both. */
export interface ContainerRules<Person extends Login> {
  readonly context: SimulatorContext
  readonly version: string
  readonly containers: Containers
  readonly tokens: GraphTokens<Person>
  /** The permission to create and publish containers, and to read the quota. */
  readonly publishScope: string
  /** The last path segments that create and publish. */
  readonly make: string
  readonly publish: string
  /** The lists of an account's posts, by the last segment of their address. */
  readonly lists: Readonly<Record<string, (post: StoredPost) => boolean>>
  /** The permissions that lists need beyond those of publishing. */
  readonly listScopes?: Readonly<Record<string, string>>
  makeContainer(call: Call, person: Person): Promise<Answer>
  showContainer(container: StoredContainer, state: ContainerState): Readonly<Record<string, unknown>>
  showPost(post: StoredPost): Readonly<Record<string, unknown>>
  /** The permission to delete posts; absent if the platform deletes none. */
  readonly deleteScope?: string
  /** The last path segment that shows the number of posts of the last day; absent if the platform shows it elsewhere. */
  readonly showQuota?: string
  /** The error when an unfinished container is published. */
  notReady(state: ContainerState): GraphError
  /** Rejects a publication beyond the quota. */
  assertQuota?(person: Person): void
}

/** Containers: created, published, and queried, and the lists of what was published. */
export function containerRoutes<Person extends Login>(rules: ContainerRules<Person>): Route[] {
  const { version, containers, tokens, context } = rules

  function publisherOf(call: Call): Person {
    const person = ownerOf(tokens, call)
    assertPermission(tokens.scopeOf(tokenIn(call)), rules.publishScope)
    return person
  }

  function create(call: Call): Answer {
    const person = publisherOf(call)
    const id = new URLSearchParams(call.body.toString()).get('creation_id') ?? ''
    const container = containers.find(id)
    if (container?.account !== person.id || container.isItem) return refuse(unknownObject(id))
    const state = containers.stateOf(container)
    // Meta does not document this response; the point is that it publishes nothing.
    if (state === 'PUBLISHED') return refuse({ code: 100, message: 'The container has been published already' })
    if (state !== 'FINISHED') return refuse(rules.notReady(state))
    rules.assertQuota?.(person)
    return { status: 200, body: { id: containers.publish(container).id } }
  }
  function show(call: Call): Answer {
    const { id: account } = tokens.demand(call)
    const { object = '' } = call.params
    if (object === account) return { status: 200, body: pickFields(call, { id: account }) }
    const container = containers.find(object)
    if (container?.account === account) {
      const shown = rules.showContainer(container, containers.stateOf(container))
      return { status: 200, body: pickFields(call, { id: object, ...shown }) }
    }
    const post = containers.posts.get(object)
    if (post?.account !== account) return refuse(unknownObject(object))
    return { status: 200, body: pickFields(call, { id: object, ...rules.showPost(post) }) }
  }
  function list(call: Call, name: string, belongs: (post: StoredPost) => boolean): Answer {
    const { id: account } = ownerOf(tokens, call)
    const scope = rules.listScopes?.[name]
    if (scope !== undefined) assertPermission(tokens.scopeOf(tokenIn(call)), scope)
    const own = containers.posts.values().filter((post) => post.account === account && belongs(post))
    return showPage(context, call, own.toReversed(), (post) =>
      pickFields(call, { id: post.id, ...rules.showPost(post) }),
    )
  }

  function remove(call: Call, scope: string): Answer {
    const { id: account } = tokens.demand(call)
    const { object = '' } = call.params
    assertPermission(tokens.scopeOf(tokenIn(call)), scope)
    if (containers.posts.get(object)?.account !== account) return refuse(unknownObject(object))
    containers.posts.delete(object)
    return { status: 200, body: { success: true, deleted_id: object } }
  }

  const { deleteScope } = rules
  const of = `/${version}/:user`
  return [
    ...(rules.showQuota === undefined
      ? []
      : [
          {
            method: 'GET' as const,
            path: `${of}/${rules.showQuota}`,
            operation: 'quota',
            answer(call: Call) {
              const { id: account } = publisherOf(call)
              const isRecent = ({ publishedAt }: StoredPost) => publishedAt > context.clock.now() - dayMs
              const own = containers.posts.values().filter((post) => post.account === account && isRecent(post))
              return { status: 200, body: { data: [{ quota_usage: [...own].length }] } }
            },
          },
        ]),
    {
      method: 'POST',
      path: `${of}/${rules.make}`,
      operation: 'upload',
      answer: async (call) => rules.makeContainer(call, publisherOf(call)),
    },
    { method: 'POST', path: `${of}/${rules.publish}`, operation: 'create', answer: create },
    ...Object.entries(rules.lists).map(
      ([name, belongs]): Route => ({
        method: 'GET',
        path: `${of}/${name}`,
        operation: 'read',
        answer: (call) => list(call, name, belongs),
      }),
    ),
    { method: 'GET', path: `/${version}/:object`, operation: 'status', answer: show },
    ...(deleteScope === undefined
      ? []
      : [
          {
            method: 'DELETE' as const,
            path: `/${version}/:object`,
            operation: 'delete',
            answer: (call: Call) => remove(call, deleteScope),
          },
        ]),
  ]
}

/** The person of the token, who must be the one in the path. */
export function ownerOf<Person extends Login>(tokens: GraphTokens<Person>, call: Call): Person {
  const person = tokens.demand(call)
  const { user = 'me' } = call.params
  return user === 'me' || user === person.id ? person : refuse(unknownObject(user))
}
