import { readFileSync } from 'node:fs'
import type { ErrorClass } from '../../../shared/platforms/platform-error.ts'
import type { PlatformId } from '../../../shared/resources.ts'

/** One error that a platform documents, or that clients of it have met. */
export interface KnownError {
  errorClass: ErrorClass
  /** The operator's app is at fault. */
  operator: boolean
  /** The HTTP status, or `failed` for what a status call says of media that were not published. */
  status: number | 'failed'
  /** The platform's name or number of it; empty where only its text identifies it. */
  code: string
  /** A part of its text, if it decides. */
  errorText: string
}

const line = /^(\w+)(!?) (\d+|failed): (.+)$/
const item = /([^\s"]*)(?:"([^"]+)")?/g

const readLine = (text: string): KnownError[] => {
  const [, errorClass, mark, status, items = ''] = line.exec(text) ?? []
  if (errorClass === undefined) throw new Error(`cannot read: ${text}`)
  return [...items.matchAll(item)]
    .filter(([name]) => name !== '')
    .map(([, code = '', errorText = '']) => ({
      errorClass: errorClass as ErrorClass,
      operator: mark === '!',
      status: status === 'failed' ? status : Number(status),
      code,
      errorText,
    }))
}

/**
 * The known errors of a platform, from `<platform>.txt`: first a line with the source, then lines of a class (with `!`
 * if the operator's app is at fault), a status, and the codes. A code has its text in quotes if it decides.
 */
export const knownErrors = (platform: PlatformId): { source: string; errors: KnownError[] } => {
  const text = readFileSync(new URL(`${platform}.txt`, import.meta.url), 'utf8')
  const [first = '', ...lines] = text.trim().split('\n')
  return { source: first.replace('source: ', ''), errors: lines.flatMap(readLine) }
}
