import * as z from 'zod/mini'
import { hourMs, minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { accountError, callGraph } from './call.ts'
import type { GraphSite } from './site.ts'

export const containerStates = ['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED'] as const
/** `UNSEEN`: the platform does not show it. */
type ContainerState = (typeof containerStates)[number] | 'UNSEEN'

/** How a platform creates media containers and reports their status. */
export interface Containers {
  site: GraphSite
  /** The path that creates a container: `/{user}/threads`. */
  path: string
  /** The fields to ask a container for. */
  statusFields: string
  status: z.ZodMiniType<{ state: ContainerState; message: string }>
  /** Whether a query for a container fails although the container may be published. */
  isUnseen(error: unknown): error is PlatformError
  /** Whether a file that failed in this way may pass when it is tried again. */
  mayPass(message: string): boolean
  /** How long media may take. */
  timeoutMs: number
}

type Fields = Readonly<Record<string, string>>

/** The structure of a post: one container, or several and their parent. */
export interface ContainerPlan {
  items: readonly Fields[]
  parent?: Fields
  /** Stored with the container, for the publication and for a probe. */
  reference: PreparedRef
}

/** How long media has been waited for, and how often its status was queried. */
export const Waiting = z.object({ sinceMs: z.number(), asked: z.int() })
type Waiting = z.infer<typeof Waiting>

export const startWaiting = ({ ctx }: PlatformCall): Waiting => ({ sinceMs: ctx.clock.now(), asked: 0 })

/** The state of a preparation. */
const Progress = z.extend(Waiting, {
  made: z.array(z.string()),
  /** The containers that were not finished at the last query. */
  open: z.array(z.string()),
  /** The children of the parent container. */
  children: z.array(z.string()),
  /** The one container that will be published has been created. */
  whole: z.boolean(),
  remade: z.int(),
})
type Progress = z.infer<typeof Progress>

/** A container that is ready for its publication. */
export const ReadyContainer = z.looseObject({ container: z.string(), sinceMs: z.number() })

/**
 * For this long, a container that is not shown counts as processing; then it is published. For weeks, Meta published
 * containers that it did not show (geoff-maddock/events-tracker#1900, 2026-05).
 */
const longestUnseenMs = minuteMs

/** A container lives for a day (Instagram API, Content Publishing; Threads API, Posts). One hour of it is a safety margin. */
const lifeMs = 23 * hourMs
const waitsSeconds = [2, 5, 10, 20, 30, 60] as const
const maxRemade = 2

const make = async (kind: Containers, { ctx, account }: PlatformCall, form: Fields): Promise<string> => {
  const params = { user: account.externalId }
  const reply = z.object({ id: z.string() })
  return (await callGraph(ctx, kind.site, { token: tokenOf(account), path: kind.path, params, form, reply })).id
}

/** The outcome of a container. */
export const askContainer = (
  { site, statusFields, status, isUnseen }: Containers,
  call: PlatformCall,
  container: string,
  totalMs?: number,
): Promise<{ state: ContainerState; message: string }> =>
  callGraph(call.ctx, site, {
    token: tokenOf(call.account),
    path: '/{container}',
    params: { container },
    query: { fields: statusFields },
    ...(totalMs === undefined ? {} : { totalMs }),
    reply: status,
  }).catch((error: unknown) => {
    if (isUnseen(error)) return { state: 'UNSEEN', message: error.message }
    throw error
  })

/** Waits for media a little longer each time, up to its time. */
export const waitForMedia = <Progressing extends Waiting>(
  { site, timeoutMs }: Pick<Containers, 'site' | 'timeoutMs'>,
  { ctx }: PlatformCall,
  progress: Progressing,
): Prepared => {
  if (ctx.clock.now() - progress.sinceMs > timeoutMs) {
    throw new PlatformError('transient', `${site.platform.name} took too long to process the media.`)
  }
  const waitSeconds = waitsSeconds[progress.asked] ?? 60
  return { waitSeconds, resume: { ...progress, asked: progress.asked + 1 } }
}

const begin = async (kind: Containers, call: PlatformCall, { items, parent }: ContainerPlan): Promise<Progress> => {
  const made = await Promise.all(items.map((form) => make(kind, call, form)))
  return { made, children: [], open: made, whole: parent === undefined, remade: 0, ...startWaiting(call) }
}

const holding = ({ parent }: ContainerPlan, children: readonly string[]) => ({
  ...parent,
  children: children.join(','),
})

/** A container that failed in a transient way is created again, a few times. */
const remake = async (
  kind: Containers,
  call: PlatformCall,
  { plan, progress }: { plan: ContainerPlan; progress: Progress },
  { container, message }: { container: string; message: string },
): Promise<Prepared> => {
  const { name } = kind.site.platform
  if (!kind.mayPass(message) || progress.remade >= maxRemade) {
    const text = `${name} could not process the media: ${message || 'no reason given'}`
    throw new PlatformError('invalid', text, { detail: message })
  }
  const index = progress.made.indexOf(container)
  const isParent = progress.whole && plan.parent !== undefined
  const form = isParent ? holding(plan, progress.children) : plan.items[index]
  const anew = await make(kind, call, form ?? {})
  const instead = (id: string) => (id === container ? anew : id)
  const { made, open, remade } = progress
  return waitForMedia(kind, call, { ...progress, made: made.map(instead), open: open.map(instead), remade: remade + 1 })
}

/** Throws why the account cannot be seen, if that is why its container is not. */
const assertAccount = async ({ site }: Containers, { ctx, account }: PlatformCall, message: string): Promise<void> => {
  const unseen = new PlatformError('transient', message)
  const why = await accountError(ctx, site, { token: tokenOf(account), id: account.externalId, error: unseen })
  if (why !== undefined) throw why
}

const look = async (
  kind: Containers,
  call: PlatformCall,
  plan: ContainerPlan,
  progress: Progress,
): Promise<Prepared> => {
  const { made, open, whole, sinceMs } = progress
  const seen = await Promise.all(
    open.map(async (container) => ({ container, ...(await askContainer(kind, call, container)) })),
  )
  const unseen = seen.find(({ state }) => state === 'UNSEEN')
  if (unseen !== undefined) await assertAccount(kind, call, unseen.message)
  const isProcessing = call.ctx.clock.now() - sinceMs < longestUnseenMs
  const isOpen = (state: ContainerState) => state === 'IN_PROGRESS' || (state === 'UNSEEN' && isProcessing)
  const broken = seen.find(({ state }) => state === 'ERROR' || state === 'EXPIRED')
  if (broken) return remake(kind, call, { plan, progress }, broken)
  const stillOpen = seen.filter(({ state }) => isOpen(state)).map(({ container }) => container)
  if (stillOpen.length > 0) return waitForMedia(kind, call, { ...progress, open: stillOpen })
  const [first = ''] = made
  if (whole) return { ready: { ...plan.reference, container: first, sinceMs }, expiresAtMs: sinceMs + lifeMs }
  const parent = await make(kind, call, holding(plan, made))
  return waitForMedia(kind, call, {
    ...progress,
    made: [parent],
    children: made,
    open: [parent],
    whole: true,
    asked: 0,
  })
}

/**
 * Creates the containers of a post and waits for them, one step per call: the children, then their parent. A text is ready
 * immediately; the status of media is queried later.
 */
export const prepareContainers = async (
  kind: Containers,
  call: PlatformCall,
  plan: ContainerPlan,
  resume: PreparedRef | undefined,
): Promise<Prepared> => {
  if (resume) return look(kind, call, plan, z.parse(Progress, resume))
  const progress = await begin(kind, call, plan)
  return call.post.media.length === 0 ? look(kind, call, plan, progress) : waitForMedia(kind, call, progress)
}
