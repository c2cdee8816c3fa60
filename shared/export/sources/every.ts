import { collectionSource, draftSource, mediaSource, memorySource, postSource } from './content.ts'
import { auditSource, deliverySource, endpointSource, eventSource } from './logs.ts'
import type { Source } from './source.ts'
import {
  accessTokenSource,
  applicationSource,
  invitationSource,
  memberSource,
  socialAccountSource,
  workspaceSource,
} from './workspace.ts'

/** The files of JSON lines, in the order of the archive. */
export const sources: readonly Source[] = [
  workspaceSource,
  memberSource,
  invitationSource,
  socialAccountSource,
  accessTokenSource,
  applicationSource,
  postSource,
  draftSource,
  mediaSource,
  collectionSource,
  memorySource,
  endpointSource,
  deliverySource,
  eventSource,
  auditSource,
]
