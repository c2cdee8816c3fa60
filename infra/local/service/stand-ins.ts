import { join } from 'node:path'
import { header as headerIn } from '../../../shared/http/request-context.ts'
import type { PlatformApiEnds } from '../../../shared/platforms/api-end.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'
import { openAiKeys } from '../ai/openai.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import { startInbox } from '../inbox/start.ts'
import { type PageServers, tabsOf } from '../pages/tabs.ts'
import { everyPlatform } from '../platforms/every.ts'
import { startPlatforms } from '../platforms/start.ts'
import { startPush } from '../push/start.ts'
import { localPrices, stripeSeed } from '../stripe/seed.ts'
import { startStripe } from '../stripe/start.ts'
import { startAi } from './ai.ts'
import type { Closing } from './closing.ts'
import { changesSecrets, watchEndpointSecrets } from './endpoint-secrets.ts'
import type { Ports } from './hosts.ts'
import type { BillingMode, ServiceOptions } from './options.ts'
import type { Outside, OutsideParts } from './outside.ts'
import { seedSecrets } from './seed-secrets.ts'

export interface ServersOptions extends Pick<OutsideParts, 'clock' | 'folder' | 'hosts'> {
  engines: Pick<OutsideParts['engines'], 'mail' | 'bus'>
  shift?: ClockShift | undefined
  ports: Ports
  secretOf(endpointUrl: string): string | undefined
  /** Whether Stripe sends its events by itself; undefined without billing. */
  stripeSends: boolean | undefined
  apisEnd?: boolean
  limitsCalls?: boolean | undefined
}

/** Starts the stand-ins for what is outside of AWS: platforms, push services, receivers, and Stripe. */
export const startServers = async (options: ServersOptions, closing: Closing) => {
  const { clock, shift, folder, hosts, engines, ports, secretOf, stripeSends } = options
  const { apisEnd = false, limitsCalls = false } = options
  const within = (name: string) => (folder === undefined ? {} : { folder: join(folder, name) })
  const servers: PageServers = { console: `${hosts.api.url}/console` }
  const platforms = await closing.hold(
    startPlatforms({
      clock,
      apisEnd,
      limitsCalls,
      servers,
      ...(shift ? { shift } : {}),
      ...within('platforms'),
      port: ports.platforms ?? 0,
    }),
  )
  const push = await closing.hold(startPush({ clock, ...within('push'), port: ports.push ?? 0, servers }))
  const inbox = await closing.hold(
    startInbox({
      clock,
      ...within('inbox'),
      port: ports.inbox ?? 0,
      secretOf,
      outbox: () => engines.mail.outbox(),
      busEvents: () => engines.bus.events(),
      servers,
    }),
  )
  const webhookUrl = () => `${hosts.api.url}/api/billing/stripe-webhook`
  const stripe =
    stripeSends === undefined
      ? undefined
      : await closing.hold(
          startStripe({
            clock,
            ...within('stripe'),
            port: ports.stripe ?? 0,
            ...(stripeSends ? { webhookUrl } : {}),
          }),
        )
  return { platforms, push, inbox, stripe, pages: () => tabsOf(servers) }
}

type Servers = Awaited<ReturnType<typeof startServers>>

const billingVariable = (billing: BillingMode | undefined): string =>
  JSON.stringify({
    prices: billing === undefined ? {} : localPrices,
    graceDays: 7,
    newWorkspaces: billing ?? 'free',
  })

/** People name the hosts of these platforms, so calls to their stand-ins must pass the address guard. */
const withoutHosts = definitions.flatMap(({ id, hosts }) => (hosts === undefined ? [id] : []))

/** No API ends: the local service does not depend on the calendar. */
const endless: PlatformApiEnds = Object.fromEntries(definitions.map(({ id }) => [id, null]))

const variablesOf = (
  { inbox, platforms, push, stripe }: Servers,
  { ai, allowedOrigins = [], billing, eventBus, platformApiEnds = endless }: ServiceOptions,
): Outside['variables'] => ({
  ...(ai?.budgetMicroUsd === undefined ? {} : { AI_BUDGET_MICRO_USD: String(ai.budgetMicroUsd) }),
  ...(eventBus === undefined ? {} : { EVENT_BUS_NAME: '' }),
  PLATFORM_API_ENDS: JSON.stringify(platformApiEnds),
  BILLING: billingVariable(billing),
  ...(stripe === undefined ? {} : { STRIPE_ORIGIN: stripe.url }),
  ALLOWED_ORIGINS: [...[inbox.url, ...withoutHosts.map((id) => platforms.urls[id]), push.url], ...allowedOrigins].join(
    ',',
  ),
  EXPO_ORIGIN: push.url,
  PLATFORM_ORIGINS: JSON.stringify(platforms.urls),
})

/** The settings of a provider on this machine: the stand-in is the endpoint for OpenAI's clients. */
const localProvider = (deployed: string, wish: object | 'off' | undefined, openAi: string): string => {
  if (wish === 'off') return JSON.stringify({ provider: 'off' })
  const settings = { ...(JSON.parse(deployed) as { provider: string }), ...wish }
  return JSON.stringify({ ...settings, ...(settings.provider === 'openai' ? { baseUrl: openAi } : {}) })
}

const apps = Object.fromEntries(everyPlatform.flatMap(({ id, app }) => (app === undefined ? [] : [[id, app]])))

/** Whether a function behind the API rejected the request: then nothing changed. */
const isRefusal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'statusCode' in answer && Number(answer.statusCode) >= 400

/** Starts a stand-in for everything that the service meets on the internet. */
export const startStandIns = (options: ServiceOptions) => async (parts: OutsideParts, closing: Closing) => {
  const { folder, engines, deployed, context, report } = parts
  const ai = await startAi(parts, closing)
  const { vapidPublicKey } = await seedSecrets(engines.clients.secretsManager, deployed, {
    apps,
    ai: openAiKeys,
    stripe: { apiKey: stripeSeed.apiKey, webhookSecret: stripeSeed.webhookSecret },
  })
  const secrets = watchEndpointSecrets(engines.clients.dynamodb, context, folder)
  await secrets.readAll()
  const servers = await startServers(
    {
      ...parts,
      shift: options.polling === 'real' ? options.shift : undefined,
      ports: options.ports ?? {},
      secretOf: secrets.of,
      stripeSends: options.billing ? options.polling === 'real' : undefined,
      apisEnd: options.platformApiEnds !== undefined,
      limitsCalls: options.platformLimits,
    },
    closing,
  )
  const { text, speech } = options.ai ?? {}
  return {
    ...servers,
    ai,
    sdk: ai.sdk,
    variables: {
      ...variablesOf(servers, options),
      ...(vapidPublicKey === undefined ? {} : { VAPID_PUBLIC_KEY: vapidPublicKey }),
    },
    aiOf(name, deployedValue) {
      if (name === 'AI_TEXT') return localProvider(deployedValue, text, ai.openAiUrl)
      return name === 'AI_SPEECH' ? localProvider(deployedValue, speech, ai.openAiUrl) : undefined
    },
    async seeAnswer(event, answer) {
      const workspaceId = headerIn(event, 'X-Workspace-Id')
      if (!workspaceId || !changesSecrets(event.httpMethod, event.resource) || isRefusal(answer)) return
      // The caller's request has completed, whether or not the inbox can read the secret.
      await secrets.refresh(workspaceId).catch((error) => report('inbox', error))
    },
  } satisfies Outside & Record<string, unknown>
}

export type StandIns = Awaited<ReturnType<ReturnType<typeof startStandIns>>>
