import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { SpeechSettings, TextSettings } from '../../../shared/ai/settings.ts'
import type { Clock, Context, Log } from '../../../shared/context.ts'
import type { RateLimits } from '../../../shared/limits/limits.ts'
import type { PlatformApiEnds } from '../../../shared/platforms/api-end.ts'
import type { QuotaLimits } from '../../../shared/quotas/quotas.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import type { DeliverMail } from '../engines/mail.ts'
import type { MailIdentity } from '../iam/actions/ses.ts'
import type { Authority, Decided } from '../iam/authority.ts'
import type { EmbeddedTable, Engines, TableAddress } from './engines.ts'
import type { Load } from './functions.ts'
import type { HostPorts, Ports, PublicOptions } from './hosts.ts'
import type { ObserveFunction } from './invocation.ts'
import type { MovableClock, VirtualTime } from './virtual-time.ts'

/** By itself, as deployed, on clocks that may be moved, or only when a test requests it. */
export type Pace = { polling: 'real'; clock: Clock; shift?: ClockShift } | { polling: 'manual'; clock: MovableClock }

/** AI settings that override those of the templates, member by member. */
export interface AiWishes {
  text?: Partial<TextSettings> | 'off'
  speech?: Partial<SpeechSettings> | 'off'
  /** The monthly budget of workspaces whose plan has none. */
  budgetMicroUsd?: number
}

/** Plans are sold through the stand-in for Stripe, to new workspaces that need one first or have access without one. */
export type BillingMode = 'unpaid' | 'free'

/** A service, whatever is outside of it. */
export type CoreOptions = Pace & {
  /** Where the state is stored; without it, it is lost when the process ends. */
  folder?: string
  ports?: HostPorts
  front?: PublicOptions
  /**
   * The handlers from the source, each with separate variables, also those of another tree; or the bundles as deployed; or
   * the bundle of all functions, which needs less memory.
   */
  load: 'source' | 'bundle' | 'together' | Load
  /** A running table, instead of an embedded one. Its requests are checked against no role. */
  table?: TableAddress
  embedded?: EmbeddedTable
  /** The verified identities of SES; the domain of the sender where not given. */
  mailIdentities?: readonly MailIdentity[]
  /** Receives every decision of IAM. */
  seeDecision?(decided: Decided): void
  /** Receives every effect of the functions; from source only. */
  observe?: ObserveFunction
  /** Receives every response of a function behind the API, with its event. */
  seeAnswer?(event: APIGatewayProxyEvent, answer: unknown): void
  /** Logs a line for each request to the gateway. */
  logRequests?: boolean
  /** Where functions log to, when loaded from source. */
  log?: Log
  /** Receives each line that bundles log. */
  seeLine?(line: string): void
  progress?(line: string): void
  /** Overrides the limits in the templates. */
  rateLimits?: RateLimits
  /** Overrides the quotas in the templates. */
  quotas?: QuotaLimits
  /** A secret of this run in the access keys of its engines: requests must be signed. */
  keySecret?: string
  /** Whether what was answered survives a power failure too, and not only the death of the process. */
  isDurable?: boolean
  /** Encrypts data keys and secrets, instead of a key that is stored with them: 32 bytes. */
  masterKey?: Buffer
  /** Sends an email, instead of storing it in the outbox. */
  deliverMail?: DeliverMail
  /** The folder of the synthesized app. */
  assembly: string
  /** The folder of the bundles, or of the one of all functions; dist where not given. */
  bundles?: string
  /** The files that routes serve unchanged; created again if not given. From source only. */
  files?: string
}

export type ServiceOptions = CoreOptions & {
  ports?: Ports
  /** Overrides the models of the templates: the one that writes, and the one that transcribes. */
  ai?: AiWishes
  /** Origins on this machine that webhooks may be sent to, in addition to the inbox. */
  allowedOrigins?: readonly string[]
  /** Whether plans are sold through the stand-in for Stripe; without it every workspace has access. */
  billing?: BillingMode
  /** Puts no events on the bus, like a deployment without the setting. */
  eventBus?: 'off'
  /** Overrides the days on which APIs of platforms end; without them no API ends, and neither do those of the stand-ins. */
  platformApiEnds?: PlatformApiEnds
  /** The stand-ins reject calls above the rate limits of their platforms; without it they only count them. */
  platformLimits?: boolean
}

/** The service as it runs on this machine; `deliver`, `drain` and `pass` move one that does not poll by itself. */
export interface Core
  extends VirtualTime,
    Pick<Engines, 'queues' | 'schedules' | 'buckets' | 'keys' | 'secrets' | 'mail' | 'bus'> {
  /** IAM, which every call is checked by. */
  readonly authority: Authority
  readonly baseUrl: string
  readonly mediaUrl: string
  /** An operator's context: every variable of the service. */
  readonly context: Context
  /** The context of one function, for example `posts-schedule`. */
  contextOf(functionName: string): Context
  close(): Promise<void>
}
