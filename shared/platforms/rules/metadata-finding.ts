import type { PlatformId } from '../../resources.ts'
import type { Finding } from '../definition.ts'

/** Creates the findings about the fields of `metadata.<platform>`. */
export const metadataFinding =
  (platform: PlatformId) =>
  (field: string, message: string, next: string): Finding => ({
    code: 'metadata_invalid',
    field: `metadata.${platform}.${field}`,
    message,
    next,
  })
