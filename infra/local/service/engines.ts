import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../shared/context.ts'
import { bucketGuardOf } from '../engines/buckets/guard.ts'
import { startBuckets } from '../engines/buckets.ts'
import { startBus } from '../engines/bus.ts'
import { inProcess } from '../engines/in-process.ts'
import { nameKey, startKeys } from '../engines/keys.ts'
import { type DeliverMail, startMail } from '../engines/mail.ts'
import { startQueues } from '../engines/queues.ts'
import { startSchedules } from '../engines/schedules.ts'
import { startSecrets } from '../engines/secrets.ts'
import { startTable, type TableOptions } from '../engines/table.ts'
import { dynamodbAccess } from '../iam/actions/dynamodb.ts'
import { eventsAccess } from '../iam/actions/events.ts'
import { kmsAccess } from '../iam/actions/kms.ts'
import { secretsAccess } from '../iam/actions/secretsmanager.ts'
import { type MailIdentity, sesAccess } from '../iam/actions/ses.ts'
import { sqsAccess } from '../iam/actions/sqs.ts'
import type { Authority, Credentials } from '../iam/authority.ts'
import { type GuardedService, guardOf } from '../iam/guard.ts'
import { schedulerGuard } from '../iam/schedule-role.ts'
import { region } from '../template/account.ts'
import type { Closing } from './closing.ts'
import { deliverTo, type Invoke } from './deliver-schedule.ts'

/** A running table engine, and the owner of its tables. It checks no rights. */
export interface TableAddress {
  endpoint: string
  /** Letters and digits; each sees separate tables. */
  accessKeyId: string
}

/** How the embedded table behaves. */
export interface EmbeddedTable extends Omit<TableOptions, 'clock' | 'port' | 'folder' | 'guard' | 'owner'> {
  /** Puts a proxy between the service and the table: receives the table's address, returns the one to use. */
  through?(endpoint: string): Promise<string>
}

export interface EnginesOptions {
  clock: Clock
  folder?: string | undefined
  /** Replaces the embedded table. */
  table?: TableAddress | undefined
  embedded?: EmbeddedTable | undefined
  /** Decides who may do what; without it, everyone may do everything. */
  authority?: Authority | undefined
  /** The verified identities of SES. */
  mailIdentities?: readonly MailIdentity[] | undefined
  /** A secret of this run in its access keys, with which requests must be signed; without it they need no signature. */
  keySecret?: string | undefined
  /** Whether what was answered survives a power failure too. */
  isDurable?: boolean | undefined
  /** Encrypts data keys and secrets, instead of a key that is stored with them. */
  masterKey?: Buffer | undefined
  /** Sends an email, instead of storing it in the outbox. */
  deliverMail?: DeliverMail | undefined
  /** For schedules that start a function. */
  invoke: Invoke
}

/** The keys of the setup, the operator, and tests. */
export const administratorOf = (table: TableAddress | undefined, keySecret = 'local'): Credentials => ({
  accessKeyId: table?.accessKeyId ?? 'local',
  secretAccessKey: keySecret,
})

const secretsGuard = (authority: Authority) => (arnOf: (id: string) => string | undefined) =>
  guardOf(authority, secretsAccess(arnOf))

/** Starts the engine of every AWS service, with separate clients for the setup. */
export const startEngines = async (engines: EnginesOptions, closing: Closing) => {
  const { clock, folder, table, embedded: { through, ...behavior } = {}, invoke, authority, mailIdentities } = engines
  const { masterKey, keySecret, deliverMail: deliver } = engines
  const credentials = administratorOf(table, keySecret)
  const options = { clock, isDurable: engines.isDurable, ...(folder === undefined ? {} : { folder }) }
  const guarded = (service: GuardedService) => (authority === undefined ? {} : { guard: guardOf(authority, service) })
  const startOwnTable = async () => {
    const keys = authority?.policies.partitionKeys ?? new Map()
    const own = { ...options, ...behavior, owner: credentials.accessKeyId, ...guarded(dynamodbAccess(keys)) }
    const { url, hasUpTo } = await closing.hold(startTable(own))
    // A proxy, a lag, or throttling shows another table than the one that is stored.
    const isPlain = [through, behavior.lag, behavior.throttling].every((option) => option === undefined)
    return { endpoint: (await through?.(url)) ?? url, hasUpTo: isPlain ? hasUpTo : undefined }
  }
  const bucketAccess = authority
    ? { guard: bucketGuardOf(authority), credentials: authority.secretOf }
    : { credentials }
  const [{ endpoint, hasUpTo }, queues, keys, secrets, mail, bus, buckets] = await Promise.all([
    table ? { endpoint: table.endpoint, hasUpTo: undefined } : startOwnTable(),
    closing.hold(startQueues({ ...options, ...guarded(sqsAccess) })),
    closing.hold(startKeys({ ...options, masterKey, ...guarded(kmsAccess(nameKey)) })),
    closing.hold(startSecrets({ ...options, masterKey, guard: authority && secretsGuard(authority) })),
    closing.hold(startMail({ ...options, deliver, ...guarded(sesAccess(mailIdentities)) })),
    closing.hold(startBus({ ...options, ...guarded(eventsAccess) })),
    // Signatures carry the time of this machine, even if the service uses another.
    closing.hold(startBuckets({ ...options, ...bucketAccess, clock: Date })),
  ])
  const at = (url: string) => ({ endpoint: url, credentials, ...inProcess(undefined)({}) })
  const schedules = await closing.hold(
    startSchedules({
      ...options,
      guard: authority && schedulerGuard(authority),
      deliver: deliverTo({ queues, invoke, authority }),
    }),
  )
  const clients = {
    dynamodb: new DynamoDBClient(at(endpoint)),
    scheduler: new SchedulerClient(at(schedules.url)),
    secretsManager: new SecretsManagerClient(at(secrets.url)),
  }
  closing.add(() => {
    for (const client of Object.values(clients)) client.destroy()
  })
  return {
    endpoint,
    hasUpTo,
    credentials,
    clients,
    queues,
    schedules,
    keys,
    secrets,
    mail,
    bus,
    buckets,
  }
}

export type Engines = Awaited<ReturnType<typeof startEngines>>

/** Variables that would point the SDK clients of this process elsewhere. */
export const removedVariables: Record<string, undefined> = {
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
}

/** The variables by which SDK clients find the engines, and nothing else. */
export const sdkVariables = (engines: Engines, credentials = engines.credentials): Record<string, string> => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  // A service without an engine must not be looked up on the internet: nothing listens on this port.
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_ENDPOINT_URL_DYNAMODB: engines.endpoint,
  AWS_ENDPOINT_URL_SQS: engines.queues.url,
  AWS_ENDPOINT_URL_S3: engines.buckets.url,
  AWS_ENDPOINT_URL_SCHEDULER: engines.schedules.url,
  AWS_ENDPOINT_URL_KMS: engines.keys.url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: engines.secrets.url,
  AWS_ENDPOINT_URL_SESV2: engines.mail.url,
  AWS_ENDPOINT_URL_EVENTBRIDGE: engines.bus.url,
})
