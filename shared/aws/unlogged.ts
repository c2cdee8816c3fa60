interface HasStack {
  middlewareStack: { remove(name: string): boolean }
}

/** A client of the AWS SDK that no longer renders every input and output for a logger that is not there. */
export const unlogged = <Client extends HasStack>(client: Client): Client => {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
