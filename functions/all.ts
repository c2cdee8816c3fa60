import { type Context, makeContext } from '../shared/context.ts'
import { everyRoute, workerTable } from './routes.ts'

/** The handlers by the name of their function, for example `posts-schedule`. */
export const handlers = new Map<string, { withContext(ctx: Context): unknown }>([
  ...everyRoute.map(({ name, endpoint }) => [name, endpoint] as const),
  ...workerTable.map(({ name, worker }) => [name, worker] as const),
])

/**
 * A function as on Lambda, with its variables and credentials and no others, but in one bundle with all functions: what they
 * import is in memory once (infra/deploy/server.ts).
 */
export const handlerOf = (name: string, variables: Readonly<Record<string, string>>): unknown => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = variables
  const handler = handlers.get(name)
  if (handler === undefined) throw new Error(`there is no function ${name}`)
  return handler.withContext(makeContext(variables, { credentials: { accessKeyId, secretAccessKey } }))
}
