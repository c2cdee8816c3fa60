import type { Access } from '../../iam/access.ts'
import type { Authority } from '../../iam/authority.ts'

/** What S3 says of the first access that the owner of a key is not allowed; undefined where all are. */
export type BucketGuard = (accessKeyId: string, accesses: readonly Access[]) => string | undefined

/** Lets everyone in whose signature is right. */
export const openToAll: BucketGuard = () => undefined

/** Holds each request to the rights of its signer, at the time of its use. */
export const bucketGuardOf =
  (authority: Authority): BucketGuard =>
  (accessKeyId, accesses) => {
    const principal = authority.principalOf(accessKeyId)
    const refusal = principal && authority.refusal(principal, accesses)
    // S3 quotes the resource.
    return refusal?.replace(/ on resource: (\S+)/, ' on resource: "$1"')
  }
