import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import type { LagOptions } from '../../infra/local/engines/table/lag.ts'
import type { ThrottlingOptions } from '../../infra/local/engines/table/throttling.ts'
import type { Item as StoredItem } from '../../infra/local/engines/table/value.ts'
import type { MailIdentity } from '../../infra/local/iam/actions/ses.ts'
import type { Decided } from '../../infra/local/iam/authority.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import type { AiWishes } from '../../infra/local/service/options.ts'
import { type Service, type ServiceOptions, startService } from '../../infra/local/service.ts'
import { watchTable } from '../../infra/local/test/engines/table/forms/watch.ts'
import { jsonLog } from '../../shared/context.ts'
import { random62 } from '../../shared/ids.ts'
import type { RateLimits } from '../../shared/limits/limits.ts'
import type { PlatformApiEnds } from '../../shared/platforms/api-end.ts'
import type { QuotaLimits } from '../../shared/quotas/quotas.ts'
import { realClock, type VirtualClock, virtualClock } from './clock.ts'
import { watchErrors } from './declared-errors.ts'
import { watchDenials } from './denials.ts'
import { makeSeed, type Seed } from './seed.ts'
import { getSharedSetup } from './shared-setup.ts'

export interface StartOptions {
  /** Real time, in which queues are polled as on AWS; otherwise time is virtual and stands still. */
  time?: 'real'
  /** The time at which the virtual clock stands first. */
  startMs?: number
  /** Sees every effect of the functions, once the seed is made. */
  observe?: ObserveFunction
  /** Replaces limits that no test reaches by chance. */
  rateLimits?: RateLimits
  /** Rows stay in the table when they expire, for a test that reads all that was ever written. */
  keepExpired?: boolean
  /** Sees each row before it is changed or removed. Embedded table only, without `lag`. */
  seeEarlier?(item: StoredItem): void
  /** How far reads lag that are not strongly consistent; they show the present state otherwise. Embedded table only. */
  lag?: LagOptions
  /** What one partition takes in a second; anything otherwise. Embedded table only. */
  throttling?: ThrottlingOptions
  /** Replaces quotas that no test reaches by chance. */
  quotas?: QuotaLimits
  /** Replaces the AI settings of the templates: providers behind AWS, unless OpenAI-compatible endpoints are named. */
  ai?: AiWishes & { provider?: 'openai' }
  /** Puts a proxy between the service and its table: takes the table's URL, returns the one to use. */
  tableThrough?(endpoint: string): Promise<string>
  /** The folder of other templates than those of the stage `local`. */
  assembly?: string
  /** Plans are sold through the stand-in of Stripe, and new workspaces have access without one; other tests say so. */
  billing?: 'unpaid' | 'none'
  eventBus?: 'off'
  /** The APIs of platforms end on the days of their definitions, or on these; the default time is far behind, and has no ends. */
  platformApiEnds?: PlatformApiEnds
  /** Platforms refuse calls beyond their rate limits, which a clock that stands still meets by chance. */
  platformLimits?: true
  /** The verified identities of SES; the domain of the sender otherwise. */
  mailIdentities?: readonly MailIdentity[]
  /** Sees every answer of a function behind the API, with the event it answers. */
  seeAnswer?: ServiceOptions['seeAnswer']
  /** Sees every decision of IAM. */
  seeDecision?(decided: Decided): void
  /** Functions are denied what the test is about; otherwise a denial fails the test. */
  mayBeDenied?: true
  /** Receivers of the test, to which webhooks may go in addition to the inbox. */
  allowedOrigins?: readonly string[]
}

/** More than any test calls in the one minute at which the virtual clock stands. */
const plenty = { calls: 100_000, perSeconds: 60 }
const noHindrance: RateLimits = { general: plenty, auth: plenty, cli: plenty, ai: plenty }

/** Quotas that tests of other things would meet; all others are the defaults. */
const ampleQuotas: QuotaLimits = {
  ownedWorkspaces: 100_000,
  accessTokens: 100_000,
  sessions: 100_000,
  invitations: 100_000,
  invitationMails: 100_000,
  verificationMails: 100_000,
  passwordResetMails: 100_000,
}

/** A separate service for one test, with one user. */
export interface Kit extends Seed {
  service: Service
  clock: VirtualClock
  /** The API with the personal access token of the seed, in its workspace. */
  api: Client
  /** The same with the session of the seed. */
  sessionApi: Client
  /** The lines that functions have logged. */
  logged: readonly string[]
  /** The errors that the embedded table has answered. */
  tableErrors: ReadonlySet<string>
  url: Service['baseUrl']
  ctx: Service['context']
  mail: Service['mail']
  bus: Service['bus']
  inbox: Service['inbox']
  platforms: Service['platforms']
  push: Service['push']
  /** What IAM has denied. */
  denied: ReadonlySet<string>
  close(): Promise<void>
}

/** Transactions hold their items while a few other requests are answered, as those of DynamoDB do. */
const conflicts = {
  async hold() {
    for (let turns = 0; turns < 3; turns += 1) await turn()
  },
}

/** Noon of a day far from any real one, so that a test which reads the machine's time shows. */
const defaultStartMs = Date.UTC(2030, 0, 1, 12)

/** The service that runs in this process. */
const running = new Set<Pick<Service, 'close'>>()

/** Ends the service that a file has left behind, so that the next file can start its own. */
export const endLeftBehind = async (): Promise<void> => {
  for (const service of running) await service.close().catch(() => undefined)
}

/** Ends with the test that started it, also when that gave up waiting; outside of a test the caller must end it. */
const closeAfterTest = (starting: Promise<Service>): void => {
  try {
    onTestFinished(() =>
      starting.then(
        (service) => service.close(),
        () => undefined,
      ),
    )
  } catch {}
}

/**
 * Boots the whole service in memory; on the virtual clock nothing moves by itself. It ends with the test, which fails
 * where an operation answered an error that its contract does not declare, or where IAM denied a call.
 */
export const start = async (options: StartOptions = {}): Promise<Kit> => {
  const clock = options.time === 'real' ? realClock : virtualClock(options.startMs ?? defaultStartMs)
  const logged: string[] = []
  let observe: ObserveFunction = (_effect, run) => run()
  const errors = watchErrors()
  const calls = watchTable()
  const denials = watchDenials()
  const boot = async () => {
    const templates = options.ai?.provider === 'openai' ? 'openai-assembly' : 'assembly'
    const { dynamodb, assembly, files } = await getSharedSetup(templates)
    const embedded = {
      conflicts,
      keepExpired: options.keepExpired ?? false,
      watch: calls.watch,
      ...(options.seeEarlier ? { seeEarlier: options.seeEarlier } : {}),
      ...(options.lag ? { lag: options.lag } : {}),
      ...(options.throttling ? { throttling: options.throttling } : {}),
      ...(options.tableThrough ? { through: options.tableThrough } : {}),
    }
    const throughTable = async (endpoint: string) => (await options.tableThrough?.(endpoint)) ?? endpoint
    const service = await startService({
      clock,
      polling: options.time === 'real' ? 'real' : 'manual',
      load: 'source',
      ...(dynamodb ? { table: { endpoint: await throughTable(dynamodb), accessKeyId: random62(20) } } : { embedded }),
      assembly: options.assembly ?? assembly,
      seeDecision(decided) {
        denials.see(decided)
        options.seeDecision?.(decided)
      },
      ...(options.mailIdentities ? { mailIdentities: options.mailIdentities } : {}),
      files,
      log: jsonLog((line) => logged.push(line)),
      observe: (effect, run) => observe(effect, run),
      seeAnswer(event, answer) {
        errors.seeAnswer(event, answer)
        options.seeAnswer?.(event, answer)
      },
      rateLimits: options.rateLimits ?? noHindrance,
      quotas: options.quotas ?? ampleQuotas,
      ...(options.allowedOrigins ? { allowedOrigins: options.allowedOrigins } : {}),
      ...(options.ai ? { ai: options.ai } : {}),
      ...(options.eventBus ? { eventBus: options.eventBus } : {}),
      platformLimits: options.platformLimits ?? false,
      ...(options.platformApiEnds ? { platformApiEnds: options.platformApiEnds } : {}),
      ...(options.billing === 'none' ? {} : { billing: options.billing ?? 'free' }),
    })
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= service
        .close()
        .finally(() => running.clear())
        .then(calls.assertKnown)
        .then(errors.assertDeclared)
        .then(() => {
          if (!options.mayBeDenied) denials.assertNone(logged)
        })
      return closing
    }
    return { ...service, close }
  }
  const starting = boot()
  closeAfterTest(starting)
  const service = await starting
  running.add(service)
  const seed = await makeSeed(service.context)
  if (options.observe) observe = options.observe
  const { baseUrl, context: ctx, mail, bus, platforms, push, inbox, close } = service
  const here = { baseUrl, workspaceId: seed.workspaceId }
  const api = client({ ...here, token: seed.pat })
  const sessionApi = client({ ...here, token: seed.sessionToken })
  const tableErrors = calls.forms.errors
  return {
    ...seed,
    service,
    clock,
    tableErrors,
    denied: denials.denied,
    api,
    sessionApi,
    logged,
    url: baseUrl,
    ctx,
    mail,
    bus,
    inbox,
    platforms,
    push,
    close,
  }
}
