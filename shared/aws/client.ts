import type { Context } from '../context.ts'

interface HasStack {
  middlewareStack: { remove(name: string): boolean }
}

/** Removes the SDK's log middleware, which serializes every input and output even without a logger. */
export const unlogged = <Client extends HasStack>(client: Client): Client => {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}

/**
 * The timeouts of a client: three tries of five seconds each end well before the 28 s of an endpoint and the 60 s of a
 * worker. Without a limit, a silent connection holds its function until the function is stopped.
 */
const bounded = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
}

/** The credentials of a context, as an option of its clients. */
export const credentialsOf = ({ credentials }: Context) => (credentials ? { credentials } : {})

/** Makes an AWS SDK client with the options of its context, which can supply the transport. */
export const makeClient = <Config extends object, Client extends HasStack>(
  ctx: Context,
  Client: new (config: Config) => Client,
  config: Config,
): Client => {
  const limited = { ...bounded, ...config, ...credentialsOf(ctx) }
  return unlogged(new Client({ ...limited, ...ctx.transport?.(limited) }))
}
