import { ApiError } from '../../functions/client.ts'

/** The error of a refused call, without the request id and the page of its code; fails if the call was not refused. */
export const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    (answer) => new Error(`it was granted: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw error
  const { requestId: _, docUrl: __, ...body } = error.body
  return { ...body, status: error.status }
}

/** The status of an answer, granted or refused. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status
      throw error
    },
  )
