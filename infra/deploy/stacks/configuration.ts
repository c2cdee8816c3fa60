import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'constructs'
import * as z from 'zod/mini'
import { RateLimits } from '../../../shared/limits/limits.ts'
import { planIds } from '../../../shared/plans/plans.ts'
import { PlatformApiEnds } from '../../../shared/platforms/api-end.ts'
import { QuotaLimits } from '../../../shared/quotas/quotas.ts'
import type { QueueName } from '../../../shared/resources.ts'
import { aiSettings, allowedAi } from './ai.ts'
import { defaultConcurrency, limitsOf, reservedConcurrency } from './concurrency.ts'
import { ConfigurationError } from './configuration-error.ts'
import { localStage, type Names, namesOf, queueNames, severities } from './names.ts'
import { ApiThrottling, allowedThroughput, QueuePollers, queueWithBoth, WarmThroughput } from './throughput.ts'

const folder = join(import.meta.dirname, '../stages')

/** The settings in the file of a stage, `infra/deploy/stages/<stage>.json`; none if the file does not exist. */
const readConfigurationFile = (stage: unknown, names: readonly string[]): Record<string, unknown> => {
  const path = join(folder, `${String(stage)}.json`)
  if (typeof stage !== 'string' || !/^[a-z0-9]+$/.test(stage) || !existsSync(path)) return {}
  const file = `infra/deploy/stages/${stage}.json`
  let settings: unknown
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigurationError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new ConfigurationError(`${file} must hold one object with the settings of the stage.`)
  }
  const unknown = Object.keys(settings).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    const named = unknown.map((name) => `"${name}"`).join(', ')
    if (process.env['SETTINGS_OF_NEWER_RELEASE'] === undefined)
      throw new ConfigurationError(`${file} has ${named}, which is no setting. Settings: ${names.join(', ')}.`)
    process.stderr.write(`${file} has ${named}, which this release does not know. It is deployed without.\n`)
  }
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))
}

const wholeNumber = (least: number, max: number) => z.int().check(z.minimum(least), z.maximum(max))

const price = z.string().check(z.regex(/^price_\w+$/))

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[.*\])$/

/** On AWS, the loopback address is the runtime of the function itself. */
const isForeignOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.origin === text && !loopback.test(url.hostname)
}

const AlarmTarget = z.union([
  z.url({ protocol: /^https$/ }),
  z.string().check(z.regex(/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/)),
])

const Settings = z.object({
  /** Part of every name, so that stages share an account without meeting. The rest of a name has 54 characters or fewer. */
  stage: z.string().check(z.regex(/^[a-z][a-z0-9]{0,9}$/)),
  /** The account and Region of the stage. Nothing is created with credentials of another account or in another region. */
  account: z.string().check(z.regex(/^\d{12}$/)),
  region: z.string().check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/)),
  /** The address of the API: the custom domain, or the address of the API's stage. */
  baseUrl: z.url().check(z.regex(/[^/]$/)),
  /** The sender of emails. */
  mailFrom: z.email(),
  /** Origins that webhooks may be sent to although the network guard would reject them; never this machine itself. */
  allowedOrigins: z.optional(z.string().check(z.refine((list) => list.split(',').every(isForeignOrigin)))),
  /** A certificate for the host of `baseUrl`; with it, the gateway stack creates the custom domain. */
  certificateArn: z.optional(z.string().check(z.regex(/^arn:[\w-]+:acm:/))),
  /** Whether the functions that send posts are released gradually, with automatic rollback. Its alarms have a price. */
  canary: z._default(z.enum(['on', 'off']), 'off'),
  /** Creates new versions of gradually released functions, even if only a parameter of another stack has changed. */
  release: z._default(z.string().check(z.regex(/^[\w.-]{0,40}$/)), ''),
  /** A vault of AWS Backup, of another account, that gets a copy of each daily backup; no backups without it. */
  backupVaultArn: z.optional(z.string().check(z.regex(/^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:[\w-]+$/))),
  /** The email address that receives alarms. */
  alarmMail: z.optional(z.email()),
  /** Additional receivers of alarms, by severity: an HTTPS endpoint, or a topic of Amazon SNS. */
  alarmTargets: z._default(z.partialRecord(z.enum(severities), AlarmTarget), {}),
  /** Where operators read infra/RUNBOOK.md; the text of each alarm links to its section. */
  runbookUrl: z.optional(z.url({ protocol: /^https$/ })),
  /** Alarms on the error budgets of objectives. They have a price. */
  objectiveAlarms: z._default(z.enum(['on', 'off']), 'off'),
  /** Whether metrics of posts are recorded for each platform as well. Each has a price per month. */
  platformMetrics: z._default(z.enum(['on', 'off']), 'off'),
  /** The share of calls of the API that AWS X-Ray follows. Each trace has a price. */
  tracing: z._default(z.union([z.literal('off'), z.number().check(z.gt(0), z.lte(1))]), 'off'),
  /** Rate limits of one caller; a class that is not named is as specified, null removes its limit. */
  rateLimits: z._default(RateLimits, {}),
  /** How much a workspace, a person, or a recipient of emails may use (shared/quotas/quotas.ts). */
  quotas: z._default(QuotaLimits, {}),
  /** What AI may cost a workspace in a month, in millionths of a US dollar, if its plan does not say; unlimited by default. */
  aiBudgetMicroUsd: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  ...aiSettings,
  /** The prices at Stripe of each plan (shared/plans/plans.ts), the one for new subscriptions first; none without billing. */
  stripePrices: z._default(
    z.partialRecord(z.enum(planIds), z.union([price, z.array(price).check(z.minLength(1))])),
    {},
  ),
  /** Whether a new workspace needs a plan first, or has access without one. Only with `stripePrices`. */
  newWorkspaces: z._default(z.enum(['unpaid', 'free']), 'unpaid'),
  /** How long access continues after a payment failed. */
  pastDueGraceDays: z._default(wholeNumber(0, 30), 7),
  /** When the APIs of platforms end, if the operator knows better than the release (shared/platforms/api-end.ts). */
  platformApiEnds: z._default(PlatformApiEnds, {}),
  /** How long events and the log of their deliveries are retained. */
  webhookRetentionDays: z._default(wholeNumber(1, 90), 30),
  /** Concurrent invocations of a worker, per queue; null lifts a limit. */
  maximumConcurrency: z._default(z.partialRecord(z.enum(queueNames), z.nullable(wholeNumber(2, 1000))), {}),
  /** Whether every event is also put on the event bus, for systems in the account. Each has a price. */
  eventBus: z._default(z.enum(['on', 'off']), 'off'),
  /** Whether AWS WAF is in front of the API. It has a price per month and per request. */
  firewall: z._default(z.enum(['on', 'off']), 'on'),
  /**
   * The public VAPID key of the deployment (RFC 8292), which turns on Web Push. "npm run operator -- create-vapid-keys"
   * stores the private one.
   */
  vapidPublicKey: z.optional(z.string().check(z.regex(/^[\w-]{87}$/))),
  /** Whether apps get push messages by the Expo push service. */
  expoPush: z._default(z.enum(['on', 'off']), 'off'),
  /** Pollers of a queue in provisioned mode, instead of `maximumConcurrency`. They have a price per hour. */
  pollers: z._default(QueuePollers, {}),
  /** The warm throughput of the table and its indexes. It can be raised and never lowered, and an increase is billed once. */
  warmThroughput: z._default(WarmThroughput, {}),
  /** Requests that API Gateway accepts for each method, from all its callers. */
  apiThrottling: z._default(ApiThrottling, { rate: 1000, burst: 500 }),
  /** The account's quota of concurrent executions; with it, the sweeper and the publishers have reserved concurrency. */
  accountConcurrency: z.optional(wholeNumber(1, 1_000_000)),
})

type SettingName = keyof typeof Settings.shape
const settingNames = Object.keys(Settings.shape) as SettingName[]

/** The allowed values of each setting, as the end of the error message. */
const allowed: Readonly<Record<SettingName, string>> = {
  stage:
    'a name of at most 10 lowercase letters and digits that begins with a letter, for example "prod": it is in the name of each function, and AWS Lambda takes 64 characters',
  account: 'the 12 digits of an AWS account, as text',
  region: 'an AWS region, for example "us-east-1"',
  baseUrl: 'a URL without a slash at the end, for example "https://api.example.com"',
  mailFrom: 'an email address that, itself or by its domain, is a verified identity of Amazon SES',
  allowedOrigins: 'origins separated by commas, such as "https://hooks.example.com:8443", none of them on loopback',
  certificateArn: 'the ARN of a certificate in AWS Certificate Manager',
  canary: '"on" or "off"',
  release: 'at most 40 letters, digits, dots, and hyphens, for example "restored-1"',
  backupVaultArn: 'the ARN of a vault of AWS Backup',
  alarmMail: 'an email address',
  alarmTargets:
    'an object by severity ("page", "ticket") of "https://" URLs or ARNs of SNS topics, for example {"page":"https://events.example.com/alarms"}',
  runbookUrl: 'an "https://" URL',
  objectiveAlarms: '"on" or "off"',
  platformMetrics: '"on" or "off"',
  tracing: '"off", or a share above 0 and at most 1, for example 0.05',
  rateLimits: 'an object such as {"general":{"calls":500,"perSeconds":60},"ai":null}',
  quotas: 'an object of whole numbers such as {"ownedWorkspaces":20}',
  aiBudgetMicroUsd: 'a whole number of millionths of a US dollar, for example 5000000 for 5 USD',
  stripePrices: `an object of price ids, or lists of them, by plan (${planIds.join(', ')}), for example {"team":"price_1Pd"}`,
  newWorkspaces: '"unpaid" or "free"',
  pastDueGraceDays: 'a whole number from 0 to 30',
  platformApiEnds: 'an object of days, or null for no end, by platform, for example {"reddit":"2027-06-01"}',
  webhookRetentionDays: 'a whole number from 1 to 90',
  maximumConcurrency: `an object of whole numbers from 2 to 1000, or null for no limit, by queue (${queueNames.join(', ')})`,
  eventBus: '"on" or "off"',
  firewall: '"on" or "off"',
  vapidPublicKey: 'the 87 characters that "npm run operator -- create-vapid-keys" prints',
  expoPush: '"on" or "off"',
  ...allowedAi,
  ...allowedThroughput,
  accountConcurrency: 'the quota "Concurrent executions" of AWS Lambda in the account, as a whole number',
}

/** The settings of one stage, with the names that follow from it. */
export interface Configuration extends z.infer<typeof Settings> {
  names: Names
  maximumConcurrency: Readonly<Record<QueueName, number | null>>
  /** By the name of a function; functions without a number share the rest. */
  reservedConcurrency: Readonly<Record<string, number>>
}

/** The command line passes every value as text: if a setting does not accept text, the value is parsed as JSON. */
const fromCommandLine = (name: SettingName, value: unknown): unknown => {
  if (typeof value !== 'string' || z.safeParse(Settings.shape[name], value).success) return value
  try {
    const json: unknown = JSON.parse(value)
    return typeof json === 'object' || z.safeParse(Settings.shape[name], json).success ? json : value
  } catch {
    return value
  }
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)

const refusal = (given: unknown, path: readonly PropertyKey[]): string => {
  const value = valueAt(given, path)
  const is = value === undefined ? 'is not set' : `is ${JSON.stringify(value)}`
  return `"${path.join('.')}" ${is}. Set "${String(path[0])}" to ${allowed[path[0] as SettingName]}.`
}

/** Compares the account and Region of a stage with those of the credentials, which the CDK CLI passes on. */
const assertTarget = ({ stage, account, region }: z.infer<typeof Settings>): void => {
  const { CDK_DEFAULT_ACCOUNT: ownAccount, CDK_DEFAULT_REGION: ownRegion } = process.env
  if (stage === localStage) return
  if (ownAccount !== undefined && ownAccount !== account) {
    throw new ConfigurationError(
      `The stage "${stage}" belongs to the account ${account}. The credentials are of ${ownAccount}.`,
    )
  }
  if (ownRegion !== undefined && ownRegion !== region) {
    throw new ConfigurationError(
      `The stage "${stage}" belongs to the region ${region}. The credentials are for ${ownRegion}.`,
    )
  }
}

/**
 * The settings of a deployment: those of `--context` and cdk.json, then those of the stage's own file
 * (infra/deploy/stages/<stage>.json). Throws a ConfigurationError with one sentence for each setting that is missing or wrong.
 */
export const readConfiguration = (node: Node): Configuration => {
  const fromContext = settingNames.map((name) => [name, fromCommandLine(name, node.tryGetContext(name))] as const)
  const stage = fromContext.find(([name]) => name === 'stage')?.[1]
  const given = {
    ...readConfigurationFile(stage, settingNames),
    ...Object.fromEntries(fromContext.filter(([, value]) => isSet(value))),
  }
  const parsed = z.safeParse(Settings, given)
  if (!parsed.success) {
    throw new ConfigurationError([...new Set(parsed.error.issues.map(({ path }) => refusal(given, path)))].join('\n'))
  }
  assertTarget(parsed.data)
  const both = queueWithBoth(parsed.data.pollers, parsed.data.maximumConcurrency)
  if (both !== undefined) {
    throw new ConfigurationError(
      `"${both}" is in "pollers" and in "maximumConcurrency". Remove it from one: AWS Lambda takes only one of them per queue.`,
    )
  }
  const { pollers, accountConcurrency } = parsed.data
  const maximum = { ...defaultConcurrency, ...parsed.data.maximumConcurrency }
  const wishes = { maximum, pollers, accountConcurrency }
  return {
    ...parsed.data,
    maximumConcurrency: limitsOf(wishes),
    reservedConcurrency: reservedConcurrency(wishes),
    names: namesOf(parsed.data.stage),
  }
}
