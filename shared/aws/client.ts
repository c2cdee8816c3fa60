import type { Context } from '../context.ts'

interface HasStack {
  middlewareStack: { remove(name: string): boolean }
}

/** A client of the AWS SDK that does not render every input and output for a logger that is not there. */
export const unlogged = <Client extends HasStack>(client: Client): Client => {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}

/** Makes a client of the AWS SDK with the options of its context, which may bring a transport of its own. */
export const makeClient = <Config extends object, Client extends HasStack>(
  ctx: Context,
  Client: new (config: Config) => Client,
  config: Config,
): Client => unlogged(new Client({ ...config, ...ctx.transport?.(config) }))
