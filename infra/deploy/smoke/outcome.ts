import { ApiError } from '../../../functions/client.ts'

/** The deployment behaved differently than it should. */
export class Failure extends Error {
  override name = 'Failure'
}

/** A step cannot be done here, and that is no failure. */
export class Skip extends Error {
  override name = 'Skip'
}

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Failure(sentence)
}

/** A refusal of the API for a token that does not mean that the deployment is wrong. */
const notAllowed: readonly (string | undefined)[] = ['session_required', 'insufficient_scope', 'insufficient_role']

export const isNotAllowed = (error: unknown): error is ApiError =>
  error instanceof ApiError && notAllowed.includes(error.code)

const short = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

/** Why a step failed, in one line. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof ApiError) {
    const code = error.code === undefined ? '' : ` (${error.code})`
    return short(`answered ${error.status}${code}: ${String(error.body['error'])}`).replaceAll('\n', ' ')
  }
  return short(error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')
}

/** The error that a call must return. */
export const refusalOf = async (call: Promise<unknown>, status: number, code: string): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !(error instanceof ApiError)) throw error
  assert(error !== undefined, `succeeded, where ${status} ${code} is due`)
  assert(error.status === status && error.code === code, `${reasonOf(error)}; ${status} (${code}) is due`)
  return error
}
