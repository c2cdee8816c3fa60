import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../../../shared/context.ts'
import { startBuckets } from '../engines/buckets.ts'
import { startBus } from '../engines/bus.ts'
import { startEmbeddings } from '../engines/embeddings.ts'
import { startKeys } from '../engines/keys.ts'
import { startMail } from '../engines/mail.ts'
import { startQueues } from '../engines/queues.ts'
import { startSchedules } from '../engines/schedules.ts'
import { startSecrets } from '../engines/secrets.ts'
import { startTable } from '../engines/table.ts'
import { startVectors } from '../engines/vectors.ts'
import { region } from '../template/account.ts'
import type { Closing } from './closing.ts'
import { deliverTo, type Invoke } from './deliver-schedule.ts'

/** A table engine that runs already, and whose tables of it are meant. */
export interface TableAddress {
  endpoint: string
  /** Letters and digits; each sees tables of its own. */
  accessKeyId: string
}

export interface EnginesOptions {
  clock: Clock
  folder?: string | undefined
  /** In place of an embedded table of its own. */
  table?: TableAddress | undefined
  /** For schedules that start a function. */
  invoke: Invoke
}

/** Starts the engine of every AWS service, with separate clients for the setup. */
export const startEngines = async (engines: EnginesOptions, closing: Closing) => {
  const { clock, folder, table, invoke } = engines
  const credentials = { accessKeyId: table?.accessKeyId ?? 'local', secretAccessKey: 'local' }
  const options = { clock, ...(folder === undefined ? {} : { folder }) }
  const [endpoint, queues, keys, secrets, mail, bus, vectors, embeddings, buckets] = await Promise.all([
    table?.endpoint ?? closing.hold(startTable(options)).then(({ url }) => url),
    closing.hold(startQueues(options)),
    closing.hold(startKeys(options)),
    closing.hold(startSecrets(options)),
    closing.hold(startMail(options)),
    closing.hold(startBus(options)),
    closing.hold(startVectors(options)),
    closing.hold(startEmbeddings({})),
    // Signatures carry the time of this machine, also where the service lives by another.
    closing.hold(startBuckets({ ...options, clock: Date, credentials })),
  ])
  const at = (url: string) => ({ endpoint: url, region, credentials })
  const schedules = await closing.hold(startSchedules({ ...options, deliver: deliverTo(queues, invoke) }))
  const clients = {
    dynamodb: new DynamoDBClient(at(endpoint)),
    scheduler: new SchedulerClient(at(schedules.url)),
    secretsManager: new SecretsManagerClient(at(secrets.url)),
  }
  closing.add(() => {
    for (const client of Object.values(clients)) client.destroy()
  })
  return { endpoint, credentials, clients, queues, schedules, keys, secrets, mail, bus, buckets, vectors, embeddings }
}

export type Engines = Awaited<ReturnType<typeof startEngines>>

/** The variables by which every SDK client finds the engines, and nothing else. */
export const sdkVariables = (engines: Engines): Record<string, string | undefined> => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: engines.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: engines.credentials.secretAccessKey,
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  // A service that has no engine must not be looked for on the internet: nothing listens on this port.
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_ENDPOINT_URL_DYNAMODB: engines.endpoint,
  AWS_ENDPOINT_URL_SQS: engines.queues.url,
  AWS_ENDPOINT_URL_S3: engines.buckets.url,
  AWS_ENDPOINT_URL_SCHEDULER: engines.schedules.url,
  AWS_ENDPOINT_URL_KMS: engines.keys.url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: engines.secrets.url,
  AWS_ENDPOINT_URL_SESV2: engines.mail.url,
  AWS_ENDPOINT_URL_EVENTBRIDGE: engines.bus.url,
  AWS_ENDPOINT_URL_S3VECTORS: engines.vectors.url,
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: engines.embeddings.url,
})
