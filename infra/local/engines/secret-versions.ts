import * as z from 'zod/mini'
import { Fault } from './aws-server.ts'

const Version = z.object({
  id: z.string(),
  stages: z.array(z.string()),
  string: z.optional(z.string()),
  binary: z.optional(z.string()),
  createdAt: z.number(),
})
type Version = z.infer<typeof Version>

const Secret = z.object({
  name: z.string(),
  arn: z.string(),
  /** Set by DeleteSecret: from then on the secret returns no value, and vanishes at this time. */
  goneAt: z.optional(z.number()),
  versions: z.array(Version),
})
export type Secret = z.infer<typeof Secret>

export const SecretsState = z.array(Secret)

interface NewVersion {
  ClientRequestToken: string
  SecretString?: string | undefined
  SecretBinary?: string | undefined
}

/** Finds a secret by name, by ARN, or by its ARN without the random suffix. */
export function findSecret(secrets: readonly Secret[], id: string): Secret {
  const secret = secrets.find(({ name, arn }) => id === name || id === arn || `${id}-` === arn.slice(0, -6))
  if (!secret) throw new Fault('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
  if (secret.goneAt !== undefined) {
    throw new Fault('InvalidRequestException', 'The secret is marked for deletion: restore it first.')
  }
  return secret
}

/** Adds a version under its request token; sent twice it changes nothing, sent with another value it is rejected. */
export function putVersion(secret: Secret, input: NewVersion, stages: string[], now: number): Version {
  const { ClientRequestToken: id, SecretString: string, SecretBinary: binary } = input
  if ((string === undefined) === (binary === undefined)) {
    throw new Fault('InvalidParameterException', 'Give either SecretString or SecretBinary.')
  }
  const known = secret.versions.find((version) => version.id === id)
  if (known && (known.string !== string || known.binary !== binary)) {
    throw new Fault('ResourceExistsException', 'A version with this ClientRequestToken exists and has another value.')
  }
  if (known) return known
  const version = { id, stages: [], createdAt: now, ...(string && { string }), ...(binary && { binary }) }
  secret.versions.push(version)
  for (const stage of stages) moveStage(secret, version, stage)
  // AWS may drop a version without a staging label at any time; here it is dropped immediately.
  secret.versions = secret.versions.filter((candidate) => candidate.stages.length > 0)
  return version
}

/** The value of the requested version, in the format of GetSecretValue. */
export function openVersion(secret: Secret, id: string | undefined, stage: string | undefined) {
  const requested = stage ?? (id === undefined ? 'AWSCURRENT' : undefined)
  const version = secret.versions.find(
    (candidate) =>
      (id === undefined || candidate.id === id) && (requested === undefined || candidate.stages.includes(requested)),
  )
  if (!version)
    throw new Fault('ResourceNotFoundException', `Secrets Manager can't find the value for ${requested ?? id}.`)
  return {
    VersionId: version.id,
    VersionStages: version.stages,
    CreatedDate: version.createdAt / 1000,
    ...(version.string && { SecretString: version.string }),
    ...(version.binary && { SecretBinary: version.binary }),
  }
}

/** A stage names one version at a time; the version that loses AWSCURRENT becomes AWSPREVIOUS. */
function moveStage(secret: Secret, to: Version, stage: string): void {
  const from = secret.versions.find((version) => version.stages.includes(stage))
  if (from) from.stages = from.stages.filter((name) => name !== stage)
  to.stages.push(stage)
  if (from && stage === 'AWSCURRENT') moveStage(secret, from, 'AWSPREVIOUS')
}
