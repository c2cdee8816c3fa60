import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Command } from 'commander'
import { type Client, SocialError } from '../../../javascript/src/index.ts'
import { lineOf } from '../../../listen/forward.ts'
import { openListenState } from '../../../listen/listen-state.ts'
import { eventTypesOf, isLocal, targetOf } from '../../../listen/target.ts'
import type { Cli } from '../cli.ts'
import { endpointNamed } from '../endpoints.ts'
import { Usage } from '../errors.ts'
import { addGroup, addList } from '../group.ts'
import { limitOption, zoneOption } from '../options.ts'
import { hasColor } from '../output.ts'
import { configFolder } from '../profile.ts'
import { openWorkspace } from '../session.ts'
import { clockTime, readTime, sayTime, zoneOf } from '../time.ts'

type Endpoint = Awaited<ReturnType<Client['webhooks']['list']>>[number]
type Delivery = Awaited<ReturnType<Client['webhooks']['listDeliveries']>>['items'][number]

const list = async (cli: Cli): Promise<void> => {
  const { client } = await openWorkspace(cli)
  const endpoints = await client.webhooks.list({ signal: cli.stopped })
  cli.out.result(endpoints, () =>
    cli.out.table<Endpoint>(
      {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        STATE: ({ enabled, status }) => (enabled ? status : 'disabled'),
        URL: ({ url }) => url,
        EVENTS: ({ events }) => events.join(', '),
      },
      endpoints,
    ),
  )
}

const create = async (cli: Cli, url: string, options: { name?: string; events?: string }): Promise<void> => {
  const { out, stopped: signal } = cli
  const events = [...eventTypesOf(options.events)]
  if (!URL.canParse(url)) throw new Usage(`"${url}" is not a URL, such as https://example.com/hooks.`)
  const { client } = await openWorkspace(cli)
  const endpoint = await client.webhooks.create({ name: options.name ?? new URL(url).host, url, events }, { signal })
  out.result(endpoint, () => {
    out.line(`Created ${endpoint.id}.`)
    out.line(`The signing secret is ${endpoint.secret}. It is shown only here: store it now.`)
  })
}

interface DeliveriesOptions {
  status?: string
  limit: number
}

const deliveries = async (cli: Cli, given: string, { status, limit }: DeliveriesOptions): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const id = await endpointNamed(client, given, signal)
  const query = { status, limit: Math.min(limit, 200) }
  const collected: Delivery[] = []
  for await (const delivery of client.webhooks.listDeliveries.all(
    id,
    query as Parameters<typeof client.webhooks.listDeliveries.all>[1],
    { signal },
  )) {
    collected.push(delivery)
    if (collected.length === limit) break
  }
  out.result(collected, () =>
    out.table<Delivery>(
      {
        TIME: ({ requestedAt, createdAt }) => clockTime(requestedAt ?? createdAt, zoneOf(undefined)),
        EVENT: ({ eventType }) => eventType,
        TRY: ({ attempt }) => String(attempt),
        STATUS: (delivery) => delivery.status,
        ANSWER: ({ httpStatus, errorCode }) => String(httpStatus ?? errorCode ?? ''),
        MS: ({ durationMs }) => String(durationMs ?? ''),
        ID: (delivery) => delivery.id,
      },
      collected,
    ),
  )
}

interface ReplayOptions {
  since: string
  until?: string
  all?: boolean
  events?: string
  zone?: string
}

const replay = async (cli: Cli, given: string, options: ReplayOptions): Promise<void> => {
  const { out, stopped: signal } = cli
  const zone = zoneOf(options.zone)
  const since = readTime(options.since, zone)
  const until = options.until === undefined ? undefined : readTime(options.until, zone)
  if (until !== undefined && until <= since) throw new Usage('--until must be later than --since.')
  const eventTypes = options.events === undefined ? undefined : [...eventTypesOf(options.events)]
  const { client } = await openWorkspace(cli)
  const id = await endpointNamed(client, given, signal)
  const body = {
    since: new Date(since).toISOString(),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
    ...(options.all ? { scope: 'all' as const } : {}),
    ...(eventTypes === undefined ? {} : { eventTypes }),
  }
  const started = await client.webhooks.replay(id, body, { signal })
  out.result(started, () =>
    out.line(`Started ${started.replayId}: the events since ${sayTime(since, zone)} are sent again.`),
  )
}

interface ListenOptions {
  path?: string
  events?: string
  log?: boolean
}

const listen = async (cli: Cli, text: string, options: ListenOptions): Promise<void> => {
  const { out, env, stopped } = cli
  const [target, events] = [targetOf(text, options.path), eventTypesOf(options.events)]
  const { client, baseUrl, workspaceId } = await openWorkspace(cli)
  // Webhooks reach this machine only from a service that runs on it.
  const fromLog = options.log === true || !isLocal(baseUrl)
  const state = openListenState(join(configFolder(env), 'listen.json'), { baseUrl, workspaceId, fromLog })
  const isPainted = hasColor(process.stdout, env, cli.globals().color)
  const show = {
    note: (sentence: string) => out.note(sentence.trimEnd()),
    delivered: (delivery: Parameters<typeof lineOf>[0]) => {
      const { genuine, event, answer } = delivery
      const { status = null, outcome, ms } = answer
      out.record({ ...event, genuine, status, outcome, ms }, () =>
        out.line(isPainted ? lineOf(delivery).trimEnd() : stripVTControlCharacters(lineOf(delivery)).trimEnd()),
      )
    },
  }
  if (fromLog) {
    const { listenByLog } = await import('../../../listen/from-log.ts')
    const read = (query: { cursor: string; types: string; limit: number }) =>
      client.webhooks.listEventLog(query, { signal: stopped }).catch((error: unknown) => {
        const passes =
          error instanceof SocialError && (error.status === 0 || error.status === 429 || error.status >= 500)
        if (!passes || stopped.aborted) throw error
        return { why: error.message, againInSeconds: Math.ceil((error.retryAfterMs ?? 10_000) / 1000) }
      })
    return listenByLog({ target, events, state, read }, show, stopped)
  }
  const { listenByEndpoint } = await import('../../../listen/from-endpoint.ts')
  const endpoints = {
    create: (body: Parameters<typeof client.webhooks.create>[0]) => client.webhooks.create(body, { signal: stopped }),
    update: (id: string, body: Parameters<typeof client.webhooks.update>[1]) =>
      client.webhooks.update(id, body, { signal: stopped }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof SocialError && error.status === 404) return false
          throw error
        },
      ),
  }
  const close = await listenByEndpoint({ target, events, state, name: 'social webhooks listen', endpoints }, show)
  await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }))
  await close()
}

const eventsFlag = '--events <types>'

export const addWebhooks = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'webhooks', 'create webhook endpoints, and follow deliveries', [
    'social webhooks create https://example.com/hooks --events post.published',
    'social webhooks listen 4000',
    'social webhooks replay example.com --since "3 hours ago"',
  ])
  addList(group, 'list the endpoints of the workspace').action(() => list(cli))
  group
    .command('create')
    .description('Creates an endpoint, and prints its signing secret once.')
    .argument('<url>', 'https URL that receives the events')
    .option('--name <name>', 'a name to recognize it by')
    .option(eventsFlag, 'event types, separated by commas; all by default')
    .action((url: string, options: { name?: string; events?: string }) => create(cli, url, options))
  group
    .command('listen')
    .description('Forwards the events of the workspace to a server on this machine.')
    .argument('<port>', 'its port or URL')
    .option('--path <path>', 'the path to send to')
    .option(eventsFlag, 'event types, separated by commas; all by default')
    .option('--log', 'read the event log, 90 seconds late, also from a local service')
    .action((text: string, options: ListenOptions) => listen(cli, text, options))
  group
    .command('deliveries')
    .description('Lists what was sent to an endpoint, and how it responded.')
    .argument('<endpoint>', 'its ID, name, or URL')
    .option('--status <status>', 'pending, succeeded, failed, exhausted, or discarded')
    .addOption(limitOption(50))
    .action((given: string, options: DeliveriesOptions) => deliveries(cli, given, options))
  group
    .command('replay')
    .description('Sends the events of a time range again: those that were not accepted.')
    .argument('<endpoint>', 'its ID, name, or URL')
    .requiredOption('--since <time>', 'the beginning: "3 hours ago", or RFC 3339')
    .option('--until <time>', 'the end; now by default')
    .option('--all', 'every event, also those that were accepted')
    .option(eventsFlag, 'only these event types, separated by commas')
    .addOption(zoneOption())
    .action((given: string, options: ReplayOptions) => replay(cli, given, options))
}
