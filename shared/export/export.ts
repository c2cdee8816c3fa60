import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { workFields } from '../db/lease.ts'
import type { Key } from '../db/table.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { exportsPrefix } from '../resources.ts'

/** `expired`: the archive was deleted. */
export const exportStatuses = ['running', 'completed', 'failed', 'expired'] as const

/** Why an export failed. */
export const exportFailures = ['too_large', 'internal_error'] as const

/** The position of an archive: the source of its next entry, and how far that source was read. */
export const Position = z.object({
  source: z.int(),
  /** How far the source has been read, in a source-specific form; empty at its start. */
  after: z.string(),
  /** The number of its next file of JSON lines. */
  file: z.int(),
})
export type Position = z.infer<typeof Position>

/** What an archive has so far. */
export const Progress = z.object({
  records: z.int(),
  mediaFiles: z.int(),
  missingFiles: z.int(),
  bytes: z.int(),
})
export type Progress = z.infer<typeof Progress>

/** The S3 state of an unfinished archive, from which a retry continues. */
const Checkpoint = z.object({
  uploadId: z.string(),
  position: Position,
  /** The key of the newest segment; each names the one before it. Absent before the first. */
  segment: z.optional(z.string()),
  progress: Progress,
  /** All parts are on S3 and only need to be joined. */
  joined: z.optional(z.literal(true)),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** An export of a workspace: a job that builds an archive step by step, and then the archive. */
export const Export = z.object({
  id: z.string(),
  workspaceId: z.string(),
  requestedBy: z.string(),
  status: z.enum(exportStatuses),
  reason: z.nullable(z.enum(exportFailures)),
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  progress: Progress,
  checkpoint: z.optional(Checkpoint),
  ...workFields,
  /** Claims since the last checkpoint: their holders have crashed. */
  crashes: z.int(),
  /** How often the archive was restarted. */
  restarts: z.int(),
  /** When the archive is deleted; null until it is complete. */
  expiresAt: z.nullable(z.string()),
  /** The hash of the token of the newest download link. */
  linkHash: z.optional(z.string()),
  /** Set once the archive is deleted. */
  ttl: z.optional(z.number()),
})
export type Export = z.infer<typeof Export>

/** The partition of the exports of a workspace. */
export const exportsOf = (workspaceId: string): string => `WS#${workspaceId}#EXPORT`

export const exports = entity({
  type: 'Export',
  shape: Export,
  key: ({ workspaceId, id }: Pick<Export, 'workspaceId' | 'id'>) => ({ PK: exportsOf(workspaceId), SK: id }),
})

/** The row that exists while an export is running: there is one at most. */
export const runningExportKey = (workspaceId: string): Key => ({ PK: exportsOf(workspaceId), SK: 'RUNNING' })

/** The prefix of all files of the exports of a workspace. */
export const exportFilesOf = (workspaceId: string): string => `${exportsPrefix}${workspaceId}/`

/** The prefix of the files of one export. */
export const filesOfExport = ({ workspaceId, id }: Pick<Export, 'workspaceId' | 'id'>): string =>
  `${exportFilesOf(workspaceId)}${id}/`

export const archiveKeyOf = (of: Pick<Export, 'workspaceId' | 'id'>): string => `${filesOfExport(of)}archive.zip`

/** The prefix of the files that are needed only while the archive is made. */
export const segmentsOf = (of: Pick<Export, 'workspaceId' | 'id'>): string => `${filesOfExport(of)}segments/`

const ProgressView = z
  .object({
    records: described(z.int(), 'Lines of the JSON files.'),
    mediaFiles: described(z.int(), 'Media files so far.'),
    missingFiles: described(z.int(), 'Media whose file is missing. `manifest.json` in the archive names them.'),
    bytes: described(z.int(), 'Bytes of the archive so far, and its size once it is complete.'),
  })
  .register(z.globalRegistry, { id: 'ExportProgress', description: 'How far an export is.' })

/** An export as the API shows it. */
export const ExportView = z
  .object({
    exportId: described(z.string(), 'The ID of the export, `exp_…`.'),
    status: described(z.enum(exportStatuses), '`expired`: the archive was deleted. Request another export.'),
    reason: described(z.nullable(z.enum(exportFailures)), 'Why the export failed; null unless it did.'),
    progress: ProgressView,
    requestedBy: described(z.string(), 'The id of the person who requested it.'),
    createdAt: timestamp('@When the export was requested, in UTC.'),
    finishedAt: z.nullable(timestamp('When the export ended; null while it is running.')),
    expiresAt: z.nullable(
      timestamp('When the archive is deleted: after seven days, or an hour after its first download.'),
    ),
  })
  .register(z.globalRegistry, {
    id: 'WorkspaceExport',
    description: 'An archive of a workspace, and how far it is.',
  })

export const viewExport = ({ id: exportId, ...rest }: Export): z.infer<typeof ExportView> => ({ ...rest, exportId })
