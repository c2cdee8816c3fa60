import type { Mismatch } from '../../../../infra/local/platforms/official-schema.ts'
import type { Document } from './documents.ts'
import type { RecordedAnswer } from './record.ts'

/** What one platform's answers are checked against. */
export interface Source {
  platform: string
  /** The file and its version, as the table has them. */
  file: string
  version: string
  /** What is wrong with each answer; undefined for one that the file does not describe. */
  check(answers: readonly RecordedAnswer[]): readonly (readonly Mismatch[] | undefined)[]
  /** Routes whose answers the file does not describe, or not all of them, `rejections` of any, and what their stand-in follows. */
  undescribed: Readonly<Record<string, string | Document>>
  /** The same for the JSON that was sent. */
  checkSent?(answers: readonly RecordedAnswer[]): readonly (readonly Mismatch[] | undefined)[]
}

/** A route as `undescribed` names it. */
export const routeOf = ({ method, route }: { method: string; route: string }): string => `${method} ${route}`
