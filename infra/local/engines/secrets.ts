import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Guard } from '../iam/guard.ts'
import { Fault, type Operations, readInput, runOperation, serveAws } from './aws-server.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { findSecret, openVersion, putVersion, type Secret, SecretsState } from './secret-versions.ts'
import { openStateFile } from './state-file.ts'

const name = z.string().check(z.regex(/^[\w/+=.@-]{1,512}$/))
const content = {
  SecretString: z.optional(z.string().check(z.minLength(1), z.maxLength(65_536))),
  SecretBinary: z.optional(z.base64().check(z.minLength(1), z.maxLength(87_384))),
  ClientRequestToken: z.string().check(z.minLength(32), z.maxLength(64)),
}
const secretId = z.string().check(z.minLength(1), z.maxLength(2048))

const CreateInput = z.object({ Name: name, ...content })
const PutInput = z.object({ SecretId: secretId, VersionStages: z.optional(z.array(z.string())), ...content })
const GetInput = z.object({
  SecretId: secretId,
  VersionId: z.optional(z.string()),
  VersionStage: z.optional(z.string()),
})
const DeleteInput = z.object({
  SecretId: secretId,
  RecoveryWindowInDays: z.optional(z.int().check(z.minimum(7), z.maximum(30))),
  ForceDeleteWithoutRecovery: z.optional(z.boolean()),
})

const dayMs = 86_400_000

export interface SecretsOptions extends Omit<EngineOptions, 'guard'> {
  /** Looks up what is needed to decide: the ARN of a secret by its name. */
  guard?: ((arnOf: (id: string) => string | undefined) => Guard) | undefined
  /** Encrypts the file of the secrets. */
  masterKey?: Buffer | undefined
}

/** Secrets Manager on 127.0.0.1: secrets by name or ARN, with versions and their stages. */
export async function startSecrets(options: SecretsOptions): Promise<Engine> {
  const file = openStateFile(
    options.folder && join(options.folder, 'secrets.json'),
    SecretsState,
    [],
    options.masterKey,
  )
  const secrets = file.value
  const now = () => options.clock.now()

  const operations: Operations = {
    CreateSecret(input) {
      const { Name, ...version } = readInput(CreateInput, input)
      const known = secrets.find((secret) => secret.name === Name)
      if (known?.goneAt) throw new Fault('InvalidRequestException', 'A secret of this name is marked for deletion.')
      if (known && !known.versions.some(({ id }) => id === version.ClientRequestToken)) {
        throw new Fault('ResourceExistsException', `The operation failed because the secret ${Name} already exists.`)
      }
      const secret = known ?? newSecret(Name)
      if (version.SecretString || version.SecretBinary) putVersion(secret, version, ['AWSCURRENT'], now())
      if (!known) secrets.push(secret)
      file.save()
      return { ARN: secret.arn, Name, VersionId: version.ClientRequestToken }
    },
    PutSecretValue(input) {
      const { SecretId, VersionStages = ['AWSCURRENT'], ...version } = readInput(PutInput, input)
      const secret = findSecret(secrets, SecretId)
      const { id, stages } = putVersion(secret, version, VersionStages, now())
      file.save()
      return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: stages }
    },
    GetSecretValue(input) {
      const { SecretId, VersionId, VersionStage } = readInput(GetInput, input)
      const secret = findSecret(secrets, SecretId)
      return { ARN: secret.arn, Name: secret.name, ...openVersion(secret, VersionId, VersionStage) }
    },
    DeleteSecret(input) {
      const { SecretId, RecoveryWindowInDays = 30, ForceDeleteWithoutRecovery } = readInput(DeleteInput, input)
      const secret = findSecret(secrets, SecretId)
      secret.goneAt = now() + (ForceDeleteWithoutRecovery ? 0 : RecoveryWindowInDays * dayMs)
      file.save()
      return { ARN: secret.arn, Name: secret.name, DeletionDate: secret.goneAt / 1000 }
    },
  }

  const { port = 0, guard } = options
  const arnOf = (id: string) => {
    forgetDeleted(secrets, now())
    return secrets.find(({ name }) => name === id)?.arn
  }
  return serveAws({ port, guard: guard?.(arnOf) }, (request) => {
    forgetDeleted(secrets, now())
    return runOperation(operations, request)
  })
}

function newSecret(name: string): Secret {
  const suffix = randomBytes(3).toString('hex')
  return { name, arn: `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-${suffix}`, versions: [] }
}

function forgetDeleted(secrets: Secret[], now: number): void {
  for (const secret of secrets.filter(({ goneAt }) => goneAt !== undefined && goneAt <= now)) {
    secrets.splice(secrets.indexOf(secret), 1)
  }
}
