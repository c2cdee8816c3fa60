import type { Variable } from './resources.ts'

/** Structured lines for people and alarms; callers pass named fields, never bodies, tokens, or headers. */
export interface Log {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** The metadata tells CloudWatch which fields are metrics; only `measured` creates it. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined | MetricMetadata>>

interface MetricMetadata {
  Timestamp: number
  CloudWatchMetrics: readonly object[]
}

const secretShapes =
  /svc_(?:pat|ses|app|oat|ort|oac)_[0-9A-Za-z_]+|whsec_[0-9A-Za-z+/=]+|Bearer \S+|Bot \S+|X-Amz-Signature=\w+/g

/**
 * Writes one JSON line per call; redacts anything that looks like one of our secrets. `level` and `timestamp` are the names
 * that Lambda recognizes (Lambda guide, "Log-level filtering").
 */
export const jsonLog = (write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)): Log => {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(
        JSON.stringify({ level, timestamp: new Date().toISOString(), message, ...fields }).replace(
          secretShapes,
          '[secret]',
        ),
      )
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number): Promise<void>
}

/** One external effect: a call to AWS, to a platform, or to a receiver. */
export interface Effect {
  service: string
  action: string
  resource: string
}

/** Runs an effect; the hook where tests count, record, and crash, and where tracing would attach. */
export type Observe = <T>(effect: Effect, run: () => Promise<T>) => Promise<T>

/** Metadata of the current request; none of it is secret. */
export interface RequestInfo {
  /**
   * The id that API Gateway gave the request, also in the log of API Gateway. Decided: the extended one, because callers can
   * choose the other (API Gateway guide, "variables for data transformations": `$context.requestId`, read 2026-11-25).
   */
  requestId: string
  /** The `X-Request-Id` of the caller. */
  clientRequestId?: string
  /** Method and path of the contract, without parameter values. */
  route: string
  /** The client's address, from the connection. */
  ip: string
  /** The caller: the ids below are set once the token or the cookie is verified. */
  userId?: string
  sessionId?: string
  tokenId?: string
  /** The application that makes the call, instead of a person. */
  applicationId?: string
  /** The connection by which an assistant calls. */
  connectionId?: string
  /** The workspace that the call names; not yet checked for membership. */
  workspaceId?: string
}

/** An assistant that makes a call for a person, and its limits beyond its scopes. */
export interface ActingAssistant {
  connectionId: string
  clientName: string
  userAgent: string
  safety: {
    postsPerDay?: number | undefined
    draftsOnly: boolean
    quietHours?: { from: string; to: string; timeZone: string } | undefined
  }
}

/** What a request that creates something returns; `id` names what was created, if the response has a secret. */
export interface CreatedResponse {
  data: unknown
  id?: string
}

/** The access to every side effect. It is passed down as a parameter, never imported. */
export interface Context {
  /** The value of a variable; throws if infra did not set it. */
  env(name: Variable): string
  clock: Clock
  observe: Observe
  log: Log
  /** Replaces the options of AWS SDK clients; the local runtime uses it to reach its engines without sockets. */
  transport?: (config: object) => object
  /** Overrides the credentials of the environment. The local runtime gives each function separate ones. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Set while a request is handled. */
  readonly request?: RequestInfo
  /** The id of the API call that led to this work: in each of its log lines, messages, and events. */
  readonly correlationId?: string
  /** Set while an assistant calls. */
  readonly assistant?: ActingAssistant
  /** Set while a request with an Idempotency-Key is handled: the row that stores its response. */
  readonly responseRow?: (response: CreatedResponse) => Record<string, unknown>
  /** The context that this one was derived from for one request; values of `perContext` belong to it. */
  readonly environment?: Context
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** A context with the given variables; everything else defaults to the real implementation. */
export const makeContext = (
  env: Readonly<Record<string, string | undefined>>,
  parts: Partial<Omit<Context, 'env'>> = {},
): Context => ({
  env: (name) => {
    const value = env[name]
    if (value === undefined) throw new Error(`the environment variable ${name} is not set`)
    return value
  },
  clock: parts.clock ?? systemClock,
  observe: parts.observe ?? ((_effect, run) => run()),
  log: parts.log ?? jsonLog(),
  ...(parts.transport ? { transport: parts.transport } : {}),
  ...(parts.credentials ? { credentials: parts.credentials } : {}),
})

let lambda: Context | undefined

/** Adds a field to each line. */
const logWith = (log: Log, known: LogFields): Log => {
  const line = (level: keyof Log) => (message: string, fields?: LogFields) =>
    log[level](message, { ...known, ...fields })
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/**
 * The field `executed` of each line, if releases are gradual: the function and its version, which an alarm of the release
 * watches. Lambda sets both variables; the version is `$LATEST` if there are no versions.
 */
const executedBy = (env: Readonly<Record<string, string | undefined>>): LogFields => {
  const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_FUNCTION_VERSION: version } = env
  return name === undefined || version === undefined || version === '$LATEST' ? {} : { executed: `${name}:${version}` }
}

/** The context of a deployed function, created once per environment. */
export const lambdaContext = (): Context => {
  lambda ??= makeContext(process.env, { log: logWith(jsonLog(), executedBy(process.env)) })
  return lambda
}

/** The IDs of API Gateway are shorter; a longer one would cost rows. */
const correlationIdForm = /^[\w=+/.-]{1,64}$/

/** The same context for work that an API call led to; the given one if the call is unknown. */
export const withCorrelation = (ctx: Context, correlationId: string | undefined): Context => {
  if (correlationId === undefined || correlationId === ctx.correlationId) return ctx
  if (!correlationIdForm.test(correlationId)) return ctx
  const environment = ctx.environment ?? ctx
  return { ...ctx, environment, correlationId, log: logWith(environment.log, { correlationId }) }
}

/** The same context for one request, or with more metadata of that request. */
export const withRequest = (ctx: Context, info: RequestInfo): Context => ({
  ...withCorrelation(ctx, info.requestId),
  environment: ctx.environment ?? ctx,
  request: { ...ctx.request, ...info },
})

/** The same context for a call of an assistant. */
export const withAssistant = (ctx: Context, assistant: ActingAssistant): Context => ({
  ...ctx,
  environment: ctx.environment ?? ctx,
  assistant,
})

/**
 * Stores one value per environment: clients and keys live as long as their context, and every request of that context
 * shares them.
 */
export const perContext = <T>(make: (ctx: Context) => T): ((ctx: Context) => T) => {
  const made = new WeakMap<Context, T>()
  return (given) => {
    const ctx = given.environment ?? given
    const known = made.get(ctx)
    if (known !== undefined) return known
    const value = make(ctx)
    made.set(ctx, value)
    return value
  }
}

/** The metrics of the service; each has a price per month while it has values (infra/README.md, "Cost"). */
export const metricNames = [
  /** How late the first attempt of a post began. */
  'PublishLatenessMs',
  /** Of each post that ended: 1 if it was published, and 0 if it failed for a reason that its author cannot fix. */
  'PostsPublished',
  'PostsFailed',
  /** From an event to the start of its first delivery to a working endpoint. */
  'DeliveryLatencyMs',
  /** How late a post is that waits for its platform, or for the outcome of its call. */
  'PostDelayMs',
  /** Calls that a platform refuses because of the operator's app. */
  'OperatorActionNeeded',
  /** Queues whose work a run of the sweeper found resumed for fifteen minutes without success. */
  'OverdueWork',
  /** Notices that are due about ends of platforms' APIs (`noticeDays` in platforms/api-end.ts); only while there are any. */
  'ApiEndNotices',
  /** Calls that could not be counted. */
  'UncountedCalls',
  /** Emails that SES rejected. */
  'UnsentEmails',
] as const
export type MetricName = (typeof metricNames)[number]

export interface Measurement {
  name: MetricName
  value: number
  /** The dimensions of the metric, if the deployment wants them. */
  by?: Readonly<Record<string, string>>
}

/** The variable METRICS. `byPlatform`: metrics for each platform, in addition to the totals. */
export interface MetricSettings {
  namespace: string
  byPlatform: boolean
}

const metricSettings = perContext((ctx): MetricSettings => JSON.parse(ctx.env('METRICS')))

/**
 * The fields of a log line from which CloudWatch reads metrics (CloudWatch guide, "Specification: Embedded metric format", read
 * 2026-11-26).
 */
export const measured = (ctx: Context, ...all: readonly Measurement[]): LogFields & { _aws?: MetricMetadata } => {
  if (all.length === 0) return {}
  const { namespace: Namespace, byPlatform } = metricSettings(ctx)
  const divided = Map.groupBy(all, ({ by = {} }) => (byPlatform ? Object.keys(by).join() : ''))
  const CloudWatchMetrics = [...divided].map(([keys, same]) => ({
    Namespace,
    Dimensions: keys === '' ? [[]] : [[], keys.split(',')],
    Metrics: same.map(({ name: Name }) => (Name.endsWith('Ms') ? { Name, Unit: 'Milliseconds' } : { Name })),
  }))
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]))
  const dimensions = Object.assign({}, ...all.map(({ by }) => by))
  return { ...dimensions, ...values, _aws: { Timestamp: ctx.clock.now(), CloudWatchMetrics } }
}
