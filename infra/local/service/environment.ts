import type { SpeechSettings, TextSettings } from '../../../shared/ai/settings.ts'
import type { RateLimits } from '../../../shared/limits/limits.ts'
import type { PlatformApiEnds } from '../../../shared/platforms/api-end.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'
import type { QuotaLimits } from '../../../shared/quotas/quotas.ts'
import type { Variable } from '../../../shared/resources.ts'
import { localPrices } from '../stripe/seed.ts'
import type { FunctionPlan } from '../template/functions.ts'

/** The addresses on this machine. */
export interface Addresses {
  api: string
  media: string
  inbox: string
  /** The origin of each stand-in, by platform ID. */
  platforms: Readonly<Record<string, string>>
  /** The push services. */
  push: string
  /** The base URL of the OpenAI-compatible stand-in. */
  openAi: string
  /** Only with billing. */
  stripe: string | undefined
  /** A queue's URL without its name. */
  queuePrefix: string
  /** The folder of the files that are next to a deployed function. */
  files: string
}

/** AI settings that override those of the templates, member by member. */
export interface AiWishes {
  text?: Partial<TextSettings> | 'off'
  speech?: Partial<SpeechSettings> | 'off'
  /** The monthly budget of workspaces whose plan has none. */
  budgetMicroUsd?: number
}

/** Options that override the templates. */
interface Wishes {
  rateLimits?: RateLimits | undefined
  quotas?: QuotaLimits | undefined
  ai?: AiWishes | undefined
  allowedOrigins?: readonly string[] | undefined
  vapidPublicKey?: string | undefined
  billing?: BillingMode | undefined
  eventBus?: 'off' | undefined
  platformApiEnds?: PlatformApiEnds | undefined
}

/** Plans are sold through the stand-in for Stripe, to new workspaces that need one first or have access without one. */
export type BillingMode = 'unpaid' | 'free'

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

/** The variables whose deployed value points to other machines. They, and limits that were set, differ from the template. */
export const localVariables = (
  addresses: Addresses,
  {
    rateLimits,
    quotas,
    ai,
    allowedOrigins = [],
    vapidPublicKey,
    billing,
    eventBus,
    platformApiEnds = endless,
  }: Wishes = {},
): Partial<Record<Variable, string>> => ({
  ...(rateLimits === undefined ? {} : { RATE_LIMITS: JSON.stringify(rateLimits) }),
  ...(quotas === undefined ? {} : { QUOTAS: JSON.stringify(quotas) }),
  ...(vapidPublicKey === undefined ? {} : { VAPID_PUBLIC_KEY: vapidPublicKey }),
  ...(ai?.budgetMicroUsd === undefined ? {} : { AI_BUDGET_MICRO_USD: String(ai.budgetMicroUsd) }),
  ...(eventBus === undefined ? {} : { EVENT_BUS_NAME: '' }),
  PLATFORM_API_ENDS: JSON.stringify(platformApiEnds),
  BILLING: billingVariable(billing),
  ...(addresses.stripe === undefined ? {} : { STRIPE_ORIGIN: addresses.stripe }),
  BASE_URL: addresses.api,
  MEDIA_URL: addresses.media,
  QUEUE_URL_PREFIX: addresses.queuePrefix,
  ALLOWED_ORIGINS: [
    ...[addresses.inbox, ...withoutHosts.map((id) => addresses.platforms[id]), addresses.push],
    ...allowedOrigins,
  ].join(','),
  EXPO_ORIGIN: addresses.push,
  PLATFORM_ORIGINS: JSON.stringify(addresses.platforms),
  FILES_FOLDER: addresses.files,
})

export type Environment = Readonly<Record<string, string>>

/** The settings of a provider on this machine: the stand-in is the endpoint for OpenAI's clients. */
const localProvider = (deployed: string, wish: object | 'off' | undefined, openAi: string): string => {
  if (wish === 'off') return JSON.stringify({ provider: 'off' })
  const settings = { ...(JSON.parse(deployed) as { provider: string }), ...wish }
  return JSON.stringify({ ...settings, ...(settings.provider === 'openai' ? { baseUrl: openAi } : {}) })
}

/** The AI variables, which keep the models and prices of the templates. */
export const localAi =
  ({ openAi }: Pick<Addresses, 'openAi'>, { text, speech }: AiWishes = {}) =>
  (name: string, deployed: string): string | undefined => {
    if (name === 'AI_TEXT') return localProvider(deployed, text, openAi)
    return name === 'AI_SPEECH' ? localProvider(deployed, speech, openAi) : undefined
  }

/** A function's variables: those of its template and no others. */
export const environmentOf = (
  plan: FunctionPlan,
  local: Readonly<Record<string, string>>,
  ai: (name: string, deployed: string) => string | undefined = () => undefined,
): Environment =>
  Object.fromEntries(
    Object.entries(plan.environment).map(([name, value]) => [name, local[name] ?? ai(name, value) ?? value]),
  )

/** One environment for all functions; throws if two functions need different values for one name. */
export const mergeEnvironments = (environments: readonly Environment[]): Environment => {
  const merged: Record<string, string> = {}
  for (const [name, value] of environments.flatMap((environment) => Object.entries(environment))) {
    if (merged[name] !== undefined && merged[name] !== value) {
      throw new Error(`two functions want different values for ${name}: they cannot run in one process`)
    }
    merged[name] = value
  }
  return merged
}

/** Sets variables of this process, undefined removes one; returns a function that restores them. */
export const setProcessEnvironment = (values: Readonly<Record<string, string | undefined>>): (() => void) => {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]))
  const assign = (all: Readonly<Record<string, string | undefined>>) => {
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  assign(values)
  return () => assign(before)
}
