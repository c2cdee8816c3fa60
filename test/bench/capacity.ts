import { createServer, type IncomingMessage } from 'node:http'
import * as z from 'zod/mini'

const Capacity = z.object({ CapacityUnits: z.number() })
const Answer = z.object({
  // Of a batch there is one for each table.
  ConsumedCapacity: z.optional(z.union([Capacity, z.array(Capacity)])),
})

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A proxy of DynamoDB that requests the consumed capacity with every call. */
export const startMeter = async (endpoint: string) => {
  let units = 0
  let bytes = 0
  const server = createServer(async (request, response) => {
    const input = JSON.parse((await bodyOf(request)).toString())
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !/^(host|connection|content-length|expect)$/.test(name) ? [[name, value]] : [],
    )
    const body = JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' })
    const answer = await fetch(endpoint, { method: 'POST', headers: Object.fromEntries(headers), body })
    const text = await answer.text()
    const { ConsumedCapacity = [] } = z.parse(Answer, JSON.parse(text))
    for (const { CapacityUnits } of [ConsumedCapacity].flat()) units += CapacityUnits
    bytes += text.length
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the meter has no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** What something has cost. */
    during: async <T>(run: () => Promise<T>) => {
      units = 0
      bytes = 0
      const result = await run()
      return { result, units, bytes }
    },
    close: () => server.close(),
  }
}
