import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { Actor } from './actor.ts'

const Value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.readonly(z.array(z.string()))])
const Fields = z.record(z.string(), Value)

/**
 * One change, as stored. People are stored as ids: their names and addresses are read with the trail, so a person who
 * is deleted leaves only an id.
 */
const StoredEntry = z.object({
  PK: z.string(),
  SK: z.string(),
  /** An action that a later version has removed can still be read. */
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  actor: Actor,
  before: z._default(Fields, {}),
  after: z._default(Fields, {}),
  /** The fields whose values were truncated, so that an entry takes one write unit. */
  truncated: z._default(z.array(z.string()), []),
  ttl: z.number(),
})

export interface AuditEntry extends Omit<z.infer<typeof StoredEntry>, 'PK' | 'SK'> {
  workspaceId: string
  /** A ULID: entries are in the order of their times. */
  id: string
}

const partition = /^WS#(.*)#AUDIT$/

/** The audit trail of a workspace: rows that are only added, and expire. */
export const auditEntries = entity({
  type: 'AuditEntry',
  shape: z.pipe(
    StoredEntry,
    z.transform(
      ({ PK, SK, ...entry }): AuditEntry => ({ ...entry, workspaceId: partition.exec(PK)?.[1] ?? '', id: SK }),
    ),
  ),
  // The key has the workspace and the ID; empty values are left out.
  pack: ({ workspaceId: _, id: __, before, after, truncated, ...entry }) => ({
    ...entry,
    ...(Object.keys(before).length > 0 ? { before } : {}),
    ...(Object.keys(after).length > 0 ? { after } : {}),
    ...(truncated.length > 0 ? { truncated } : {}),
  }),
  key: ({ workspaceId, id }: Pick<AuditEntry, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#AUDIT`, SK: id }),
})
