import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, client } from '../../functions/client.ts'
import { random62 } from '../../shared/ids.ts'
import { verifySignature } from '../local/inbox/verify.ts'
import { listen, readBody, send } from '../local/pages/server.ts'
import { forward, lineOf, nameEvent } from './forward.ts'
import { openPlace } from './kept.ts'
import type { ListenOptions } from './options.ts'

type Print = (text: string) => void

const maxBodyBytes = 1024 * 1024

/** Headers of the connection; all others belong to the delivery or to the answer. */
const ofConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'content-encoding',
])

const passedOn = (headers: Iterable<readonly [string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !ofConnection.has(name)).map(([name, value]) => [name, String(value)]),
  )

/** The port of the last start, so that retries find it; another one if it is taken. */
const openListener = (port: number | undefined) => listen(port ?? 0).catch(() => listen(0))

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

/**
 * Receives the webhooks themselves: an endpoint of the workspace points here. What fails is retried by the service, also
 * what happens until the next start, because the endpoint stays.
 */
export const listenByEndpoint = async (options: ListenOptions, print: Print): Promise<() => Promise<void>> => {
  const { target, events } = options
  const { webhooks } = client(options)
  const { place, save } = openPlace(options)
  const listener = await openListener(place.port)
  place.port = Number(new URL(listener.url).port)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await readBody(request, maxBodyBytes)) ?? Buffer.from('')
    const headers = passedOn(Object.entries(request.headers))
    const genuine = verifySignature({ headers, rawBody: body }, place.secret, Date.now())
    const answered = await forward(target, headers, body)
    print(lineOf(genuine, nameEvent(body), answered))
    // Without an answer of the app, the service is to try again.
    send(response, { status: answered.status ?? 502, headers: passedOn(answered.headers), body: answered.body })
  }
  listener.onRequest((request, response) => void answer(request, response).catch(() => response.destroy()))

  // Another address each time: what waits for a retry is sent at once.
  const body = { name: 'npm run listen', url: `${listener.url}/${random62(8)}`, events: [...events], enabled: true }
  const update = (id: string) =>
    webhooks.update({ params: { id }, body }).catch((error: unknown) => {
      if (!isGone(error)) throw error
      return undefined
    })
  const known = place.endpointId === undefined ? undefined : await update(place.endpointId)
  if (known === undefined) {
    const { id, secret } = await webhooks.create({ body })
    Object.assign(place, { endpointId: id, secret })
  }
  save()
  print(`Forwarding webhooks to ${target}. The signing secret is ${place.secret}\n`)
  return () => listener.close()
}
