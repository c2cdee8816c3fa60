import type { Access } from '../../iam/access.ts'
import type { Authority } from '../../iam/authority.ts'

/** S3's error for the first access that the owner of a key is not allowed; undefined if all are allowed. */
export type BucketGuard = (accessKeyId: string, accesses: readonly Access[]) => string | undefined

/** Allows everyone with a valid signature. */
export const openToAll: BucketGuard = () => undefined

/** Checks each request against the rights of its signer, at the time of its use. */
export const bucketGuardOf =
  (authority: Authority): BucketGuard =>
  (accessKeyId, accesses) => {
    const principal = authority.principalOf(accessKeyId)
    const refusal = principal && authority.refusal(principal, accesses)
    // S3 quotes the resource.
    return refusal?.replace(/ on resource: (\S+)/, ' on resource: "$1"')
  }
