import { ApiError } from '../../../functions/client.ts'

/** How a call was refused, without the id of the request and the page of its code; throws where it was not. */
export const refusalOf = async (call: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('expected a refusal', { cause: error })
  const { requestId: _, docUrl: __, ...body } = error.body
  return { status: error.status, ...body }
}
