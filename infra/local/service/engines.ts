import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../shared/context.ts'
import { openAiFaults } from '../ai/faults.ts'
import { openModel } from '../ai/model.ts'
import { startOpenAi } from '../ai/openai.ts'
import { startBedrock } from '../engines/bedrock.ts'
import { bucketGuardOf } from '../engines/buckets/guard.ts'
import { startBuckets } from '../engines/buckets.ts'
import { startBus } from '../engines/bus.ts'
import { inProcess } from '../engines/in-process.ts'
import { nameKey, startKeys } from '../engines/keys.ts'
import { startMail } from '../engines/mail.ts'
import { startQueues } from '../engines/queues.ts'
import { startSchedules } from '../engines/schedules.ts'
import { startSecrets } from '../engines/secrets.ts'
import { startTable, type TableOptions } from '../engines/table.ts'
import { startTranscriptions } from '../engines/transcriptions.ts'
import { bedrockAccess } from '../iam/actions/bedrock.ts'
import { dynamodbAccess } from '../iam/actions/dynamodb.ts'
import { eventsAccess } from '../iam/actions/events.ts'
import { kmsAccess } from '../iam/actions/kms.ts'
import { secretsAccess } from '../iam/actions/secretsmanager.ts'
import { type MailIdentity, sesAccess } from '../iam/actions/ses.ts'
import { sqsAccess } from '../iam/actions/sqs.ts'
import { transcribeAccess } from '../iam/actions/transcribe.ts'
import type { Authority, Credentials } from '../iam/authority.ts'
import { type GuardedService, guardOf } from '../iam/guard.ts'
import { schedulerGuard } from '../iam/schedule-role.ts'
import { region } from '../template/account.ts'
import type { Closing } from './closing.ts'
import { deliverTo, type Invoke } from './deliver-schedule.ts'
import { speechFilesOf } from './speech-files.ts'

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
  /** Of the OpenAI-compatible server; a free one where not given. */
  openAiPort?: number | undefined
  /** For schedules that start a function. */
  invoke: Invoke
}

/** The keys of the setup, the operator, and tests. */
export const administratorOf = (table: TableAddress | undefined): Credentials => ({
  accessKeyId: table?.accessKeyId ?? 'local',
  secretAccessKey: 'local',
})

const secretsGuard = (authority: Authority) => (arnOf: (id: string) => string | undefined) =>
  guardOf(authority, secretsAccess(arnOf))

/** Starts the engine of every AWS service, with separate clients for the setup. */
export const startEngines = async (engines: EnginesOptions, closing: Closing) => {
  const { clock, folder, table, embedded: { through, ...behavior } = {}, invoke, authority, mailIdentities } = engines
  const { openAiPort = 0 } = engines
  const credentials = administratorOf(table)
  const ai = { model: openModel(), faults: openAiFaults() }
  const options = { clock, ...(folder === undefined ? {} : { folder }) }
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
  const [{ endpoint, hasUpTo }, queues, keys, secrets, mail, bus, bedrock, buckets] = await Promise.all([
    table ? { endpoint: table.endpoint, hasUpTo: undefined } : startOwnTable(),
    closing.hold(startQueues({ ...options, ...guarded(sqsAccess) })),
    closing.hold(startKeys({ ...options, ...guarded(kmsAccess(nameKey)) })),
    closing.hold(startSecrets({ ...options, guard: authority && secretsGuard(authority) })),
    closing.hold(startMail({ ...options, ...guarded(sesAccess(mailIdentities)) })),
    closing.hold(startBus({ ...options, ...guarded(eventsAccess) })),
    closing.hold(startBedrock({ model: ai.model, faults: ai.faults, ...guarded(bedrockAccess) })),
    // Signatures carry the time of this machine, even if the service uses another.
    closing.hold(startBuckets({ ...options, ...bucketAccess, clock: Date })),
  ])
  const at = (url: string) => ({ endpoint: url, credentials, ...inProcess(undefined)({}) })
  const files = speechFilesOf(buckets, credentials)
  const transcriptions = await closing.hold(
    startTranscriptions({ ...options, files, faults: ai.faults, ...guarded(transcribeAccess) }),
  )
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
  const openAi = await closing.hold(startOpenAi(ai.model, ai.faults, openAiPort))
  return {
    ai: { ...ai, openAiUrl: openAi.url },
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
    bedrock,
    transcriptions,
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
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: engines.bedrock.url,
  AWS_ENDPOINT_URL_TRANSCRIBE: engines.transcriptions.url,
})
