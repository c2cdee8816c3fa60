import { createHash } from 'node:crypto'
import { Fault } from '../../aws-server.ts'
import type { StoredKey } from '../keys.ts'

interface Wanted {
  Segment?: number | undefined
  TotalSegments?: number | undefined
}

const invalid = (message: string) => new Fault('ValidationException', message)

const required = (name: string, given: string) =>
  invalid(`The ${name} parameter is required but was not present in the request when ${given} is present`)

/** Rejects a segment without its total, or the other way round, or one behind the last. */
export const assertSegment = ({ Segment, TotalSegments }: Wanted): void => {
  if (Segment === undefined && TotalSegments === undefined) return
  if (TotalSegments === undefined) throw required('TotalSegments', 'Segment parameter')
  if (Segment === undefined) throw required('Segment', 'parameter TotalSegments')
  if (Segment < TotalSegments) return
  throw invalid(
    `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
  )
}

/** Whether a partition is in the segment of a parallel scan; each partition is in one segment. */
export const isInSegment = ({ hash }: StoredKey, { Segment, TotalSegments }: Wanted): boolean =>
  Segment === undefined || createHash('sha256').update(hash).digest().readUInt32BE() % (TotalSegments ?? 1) === Segment
