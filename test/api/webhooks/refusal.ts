import { ApiError } from '../../../functions/client.ts'

/** How a call was refused; throws where it was not. */
export const refusalOf = async (call: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('expected a refusal', { cause: error })
  return { status: error.status, ...error.body }
}
