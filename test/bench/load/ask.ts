import { Agent, request } from 'node:http'

/** A request with everything it needs to be sent. */
export interface RequestSpec {
  url: string
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

export interface Reply {
  status: number
  retryAfter: string | undefined
  text: string
}

const agent = new Agent({ keepAlive: true })

/** Waits no longer than API Gateway does. */
const timeoutMs = 60_000

/** Sends a request over a keep-alive connection: fetch would add a millisecond of the driver for each. */
export const send = ({ url, method, headers = {}, body }: RequestSpec): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const options = { agent, method, headers: { ...headers, ...length }, timeout: timeoutMs }
    const outgoing = request(url, options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in time')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** The same where nothing but one status will do. */
export const requestExpecting = async (status: number, requestSpec: RequestSpec): Promise<string> => {
  const reply = await send(requestSpec)
  if (reply.status !== status)
    throw new Error(`${requestSpec.method} ${requestSpec.url}: ${reply.status} ${reply.text}`)
  return reply.text
}
