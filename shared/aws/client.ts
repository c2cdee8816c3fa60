import type { Context } from '../context.ts'

interface HasStack {
  middlewareStack: { remove(name: string): boolean }
}

/** A client of the AWS SDK that does not render every input and output for a logger that is not there. */
export const unlogged = <Client extends HasStack>(client: Client): Client => {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}

/**
 * What a client waits for at most: three tries of five seconds end well before the 28 s of an endpoint and the 60 s of a
 * worker. Without a limit, a connection that falls silent holds its function until that is ended.
 */
const bounded = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
}

/** Makes a client of the AWS SDK with the options of its context, which may bring a transport of its own. */
export const makeClient = <Config extends object, Client extends HasStack>(
  ctx: Context,
  Client: new (config: Config) => Client,
  config: Config,
): Client => {
  const limited = { ...bounded, ...config }
  return unlogged(new Client({ ...limited, ...ctx.transport?.(limited) }))
}
