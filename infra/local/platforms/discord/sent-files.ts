import type { Part } from '../../pages/multipart.ts'
import { refuseForm } from './form-errors.ts'
import { refuse } from './refuse.ts'

const maxFileBytes = 10 * 1024 * 1024

export interface SentFile {
  filename: string
  description: string | undefined
  type: string
  bytes: Buffer
}

interface Described {
  id: string
  filename?: string | undefined
  description?: string | null | undefined
}

/** `attachments[].id` is the n of `files[n]`; if the list is present, it must name exactly the uploaded files. */
export function pairFiles(parts: readonly Part[], attachments: readonly Described[] | undefined): SentFile[] {
  const byNumber = new Map(parts.map((part) => [fileNumber(part), part]))
  if (byNumber.size < parts.length) return refuse(400, 50035, 'Two files have the same number')
  for (const part of parts) if (part.bytes.length > maxFileBytes) return refuse(413, 40005, 'Request entity too large')
  for (const [index, { id }] of (attachments ?? []).entries()) {
    if (!byNumber.has(id)) return refuseUnpaired(['attachments', index, 'id'], id)
  }
  return [...byNumber].map(([number, part]) => {
    const described = attachments?.find(({ id }) => id === number)
    if (attachments !== undefined && described === undefined) return refuseUnpaired(['attachments'], number)
    return {
      filename: described?.filename ?? part.filename ?? 'unknown',
      description: described?.description ?? undefined,
      type: part.type ?? 'application/octet-stream',
      bytes: part.bytes,
    }
  })
}

function fileNumber(part: Part): string {
  return /^files\[(\d+)\]$/.exec(part.name)?.[1] ?? refuse(400, 50035, 'Every file needs a field named files[n]')
}

function refuseUnpaired(path: readonly PropertyKey[], id: string): never {
  const message = `Attachment data for attachment with id ${id} not found`
  return refuseForm([{ path, error: { code: 'ATTACHMENT_NOT_FOUND', message } }])
}
