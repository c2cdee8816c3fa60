import { join } from 'node:path'
import { SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs'
import { localNames, queueNames } from '../../infra/deploy/stacks/names.ts'
import { walkConnect } from '../../infra/local/demo/walk-connect.ts'
import { queueArn } from '../../infra/local/iam/actions/sqs.ts'
import { discordSeed } from '../../infra/local/platforms/discord/seed.ts'
import { slackSeed } from '../../infra/local/platforms/slack/seed.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { type Service, startService } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { update } from '../../shared/db/table.ts'
import { listAccounts } from '../../shared/social-accounts/find.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { makePerson, makeSeed } from '../support/seed.ts'
import type { Draw } from './draw.ts'
import type { MessageFault } from './faults.ts'
import type { Loop, Pollers } from './loop.ts'
import { loadReleases } from './releases.ts'

/** A user with their own account, whom a workspace may invite. */
export interface Guest {
  userId: string
  email: string
  sessionToken: string
  /** Their last known role in the workspace; undefined while it is uncertain. */
  membership: 'admin' | 'member' | 'none' | undefined
}

/** A workspace, and its owner. */
export interface Tenant {
  name: string
  workspaceId: string
  slug: string
  token: string
  sessionToken: string
  /** Account ids by platform. */
  accounts: Readonly<Record<string, string>>
  /** Who may be invited. */
  guest: Guest
  /** When its owner got the confirmation of the deletion. */
  deletedAtMs?: number
}

/** The service of one run, which the loop moves. */
export interface World {
  service: Service
  tenants: readonly Tenant[]
  pollers: Pollers
}

const discordChannel = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''
const slackChannel = slackSeed.channels.find(({ name }) => name === 'general')?.id ?? ''

/** The channels that posts go to. */
export const metadata = { discord: { channelId: discordChannel }, slack: { channelId: slackChannel } }

const plenty = { calls: 100_000, perSeconds: 60 }
const noLimits = { general: plenty, auth: plenty, cli: plenty, ai: plenty }

/** So few posts to X that the cap is reached. */
const xMonthlyCap = 6

/** Goes through the platform's page, as a person does; returns the id of the account. */
const connect = async (service: Service, tenant: Omit<Tenant, 'accounts'>, platform: 'x' | 'slack') => {
  const { sessionToken: token, workspaceId } = tenant
  await walkConnect({ baseUrl: service.baseUrl, token, workspaceId }, platform)
  const all = await listAccounts(service.context, workspaceId)
  return all.find((account) => account.platform === platform)?.id ?? ''
}

const makeTenant = async (service: Service, name: string, draw: Draw): Promise<Tenant> => {
  const ctx = service.context
  const { workspaceId, pat: token, sessionToken, accounts } = await makeSeed(ctx)
  await update(ctx, workspaces.key({ id: workspaceId }), { set: { xMonthlyCap } })
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  const { user, ...guest } = await makePerson(ctx)
  const tenant = {
    name,
    workspaceId,
    slug: workspace?.slug ?? '',
    token,
    sessionToken,
    guest: { ...guest, userId: user.id, email: user.email, membership: 'none' as const },
  }
  const more: Record<string, string> = {}
  for (const platform of ['x', 'slack'] as const)
    if (draw(`${name} has ${platform}`) < 0.3) more[platform] = await connect(service, tenant, platform)
  return { ...tenant, accounts: { ...accounts, ...more } }
}

/** How messages come to the functions: a poller finds those that are visible immediately, or after a pause. */
const connectQueues = ({ queues, schedules, ...service }: Service, loop: Loop, draw: Draw): Pollers => {
  const names = queueNames.map(localNames.physical)
  let polls = 0
  let isPolled = false
  /** When a queue may have a visible message: one was sent, or a hidden one becomes visible. */
  let lookAtMs = 0
  const { onSend } = queues.faults
  queues.faults.onSend = (message) => {
    lookAtMs = 0
    return onSend?.(message) ?? 'keep'
  }
  const deliver = () => {
    const poll = `poll ${polls}`
    let batches = 0
    // Each batch has its own environment on Lambda, and starts at its own moment.
    const before = () => {
      batches += 1
      return loop.wait(undefined, draw(`${poll} batch ${batches}`) * 10)
    }
    isPolled = false
    lookAtMs = 0
    void service.deliver({ order: 'shuffled', together: true, before })
  }
  const poll = () => {
    if (loop.nowMs() < lookAtMs) return
    lookAtMs = queues.nextDueAt() ?? Number.POSITIVE_INFINITY
    const isVisible = names.some((name) => queues.peek(name).some(({ state }) => state === 'visible'))
    if (!isVisible || isPolled) return
    isPolled = true
    polls += 1
    const pauseMs = draw(`poll ${polls}`) < 0.9 ? draw(`pause ${polls}`) * 20 : draw(`pause ${polls}`) * 3_000
    void loop.wait(undefined, pauseMs).then(deliver)
  }
  return {
    nextDueAt: () => service.nextDueAt(),
    start() {
      const isDue = service.nextDueAt() <= loop.nowMs()
      if (isDue) {
        void service.tick()
        if ((schedules.nextDueAt() ?? Number.POSITIVE_INFINITY) <= loop.nowMs()) void schedules.tick()
      }
      poll()
      return isDue
    },
  }
}

export interface WorldOptions {
  loop: Loop
  draw: Draw
  /** The folder of the shared synthesized templates. */
  folder: string
  /** The sources of the next release, where some invocations run it. */
  nextRelease: string | undefined
  /** Stands between the functions and their effects. */
  observe: ObserveFunction
  /** What becomes of messages and schedules. */
  messageFault(of: string): MessageFault
  /** The lines that functions log. */
  log(line: string): void
}

/** Starts the service with one workspace or two, in which nothing has happened yet. */
export const startWorld = async ({
  loop,
  draw,
  folder,
  nextRelease,
  observe,
  messageFault,
  log,
}: WorldOptions): Promise<World> => {
  let isReady = false
  const service = await startService({
    clock: loop.clock,
    polling: 'manual',
    load: nextRelease === undefined ? 'source' : await loadReleases(loop, nextRelease),
    assembly: join(folder, 'assembly'),
    files: join(folder, 'files'),
    log: jsonLog(log),
    billing: 'free',
    rateLimits: noLimits,
    // Without a bus, single deliveries skip the relay.
    ...(draw('bus') < 0.5 ? { eventBus: 'off' as const } : {}),
    // The setup takes no time and has no faults.
    observe: (effect, run) => (isReady ? observe(effect, run) : run()),
    embedded: { keepExpired: true },
  })
  const names = draw('tenants') < 0.25 ? ['A', 'B'] : ['A']
  const tenants: Tenant[] = []
  for (const name of names) tenants.push(await makeTenant(service, name, draw))
  // In an empty channel a probe finds nothing out.
  service.platforms.crowd('discord', discordChannel, 1)
  service.platforms.crowd('slack', slackChannel, 1)
  isReady = true
  service.queues.faults.onSend = ({ queueName }) => messageFault(`a message of ${queueName}`)
  service.schedules.faults.onFire = (name) => messageFault(`schedule ${name}`)
  return { service, tenants, pollers: connectQueues(service, loop, draw) }
}

/** Takes dead letters back to the queues that they come from, as an operator does. */
export const redrive = async ({ service }: World): Promise<void> => {
  if (service.queues.peek(localNames.deadLetters).length === 0) return
  const client = new SQSClient({})
  await client.send(new StartMessageMoveTaskCommand({ SourceArn: queueArn(localNames.deadLetters) }))
  client.destroy()
}
