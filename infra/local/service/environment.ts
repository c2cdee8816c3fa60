import type { RateLimits } from '../../../shared/limits/limits.ts'
import type { QuotaLimits } from '../../../shared/quotas/quotas.ts'
import type { Variable } from '../../../shared/resources.ts'
import type { FunctionPlan } from '../template/functions.ts'

/** Where things are found on this machine. */
export interface Addresses {
  api: string
  media: string
  inbox: string
  /** Each stand-in's origin, by platform id. */
  platforms: Readonly<Record<string, string>>
  /** A queue's URL without its name. */
  queuePrefix: string
  /** The folder of the files that are next to a deployed function. */
  files: string
}

/** What may be asked for in place of what the templates say. */
interface Wishes {
  rateLimits?: RateLimits | undefined
  quotas?: QuotaLimits | undefined
  memorySearch?: 'lexical' | 'vectors' | 'hybrid' | undefined
  allowedOrigins?: readonly string[] | undefined
}

/** The variables whose deployed value leads off this machine. They, and limits that were asked for, differ from the template. */
export const localVariables = (
  addresses: Addresses,
  { rateLimits, quotas, memorySearch, allowedOrigins = [] }: Wishes = {},
): Partial<Record<Variable, string>> => ({
  ...(rateLimits === undefined ? {} : { RATE_LIMITS: JSON.stringify(rateLimits) }),
  ...(quotas === undefined ? {} : { QUOTAS: JSON.stringify(quotas) }),
  ...(memorySearch === undefined ? {} : { MEMORY_SEARCH: memorySearch }),
  BASE_URL: addresses.api,
  MEDIA_URL: addresses.media,
  QUEUE_URL_PREFIX: addresses.queuePrefix,
  ALLOWED_ORIGINS: [addresses.inbox, addresses.platforms['bluesky'], ...allowedOrigins].join(','),
  PLATFORM_ORIGINS: JSON.stringify(addresses.platforms),
  FILES_FOLDER: addresses.files,
})

export type Environment = Readonly<Record<string, string>>

/** A function's variables: those of its template and no others. */
export const environmentOf = (plan: FunctionPlan, local: Readonly<Record<string, string>>): Environment =>
  Object.fromEntries(Object.entries(plan.environment).map(([name, value]) => [name, local[name] ?? value]))

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

/** Sets variables of this process, undefined removes one; answers how to put things back. */
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
