import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { routes } from '../../../functions/routes.ts'
import { catalog } from '../../../shared/errors/catalog.ts'
import { assert, Failure } from './outcome.ts'

/** One request and its response. */
export interface Exchange {
  /** For example `POST /api/drafts`. */
  call: string
  status: number
  requestId: string
  headers: Headers
}

export interface Wire {
  fetch: typeof fetch
  /** The latest exchange. */
  last(): Exchange | undefined
  /** Every request ends with this signal, in addition to its timeout. */
  endWith(signal: AbortSignal): void
}

const ErrorEnvelope = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string().check(z.refine((code) => Object.hasOwn(catalog, code))),
})
const SuccessEnvelope = z.object({ success: z.literal(true), data: z.unknown() })

const contracts = routes.map(({ endpoint: { contract } }) => ({
  contract,
  pattern: new RegExp(`^${contract.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

const contractOf = (method: string, path: string) =>
  // A literal path takes precedence over one with a parameter.
  contracts
    .filter(({ contract, pattern }) => contract.method === method && pattern.test(path))
    .sort((one, other) => one.contract.path.split('{').length - other.contract.path.split('{').length)[0]?.contract

const firstIssue = ({ issues: [issue] }: z.core.$ZodError): string =>
  `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`

const jsonIn = (call: string, status: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`${call} answered ${status} with something else than JSON. Is this the base URL of the API?`)
  }
}

/** Compares a response with the contract of its route: the envelope, the status, and the shape of the data. */
const assertContract = (method: string, path: string, status: number, text: string): void => {
  const call = `${method} ${path}`
  if (status === 304) return
  const json = jsonIn(call, status, text)
  if (status >= 400) {
    assert(z.safeParse(ErrorEnvelope, json).success, `${call} answered ${status} without the error envelope`)
    return
  }
  const contract = contractOf(method, path)
  if (contract?.data === undefined) return
  assert(status === contract.status, `${call} answered ${status}; its contract says ${contract.status}`)
  const { success, data } = z.safeParse(SuccessEnvelope, json)
  assert(success, `${call} answered without the envelope`)
  const parsed = z.safeParse(contract.data, data.data)
  assert(parsed.success, `${call}: ${parsed.success ? '' : firstIssue(parsed.error)} in the data`)
}

const causeOf = (error: unknown, timeoutMs: number): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  if (error.name === 'AbortError') return 'interrupted'
  const { cause } = error
  if (cause instanceof Error) return ('code' in cause ? String(cause.code) : '') || cause.message
  return error.message
}

/** The general limit counts all calls of the person behind the token, so the test can reach it. */
const maxWaits = 5
const longestWaitSeconds = 20

/** How long to wait before the request is repeated; undefined if its response is final. */
const waitAfter = ({ status, headers }: Response, waits: number): number | undefined => {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return status === 429 && waits < maxWaits && seconds <= longestWaitSeconds ? seconds * 1000 : undefined
}

/** Sends requests with a timeout, and parses each response with the contract of its route. */
export const makeWire = (baseUrl: string, timeoutMs: number): Wire => {
  let exchange: Exchange | undefined
  let ending = new AbortController().signal
  const send: typeof fetch = async (input, init) => {
    const method = init?.method ?? 'GET'
    const path = new URL(String(input)).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length)
    const call = `${method} ${path}`
    exchange = undefined
    const fail = (error: unknown): never => {
      throw new Failure(`${call}: ${causeOf(ending.aborted ? ending.reason : error, timeoutMs)}`)
    }
    const ask = async (waits: number): Promise<Response> => {
      const signal = AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)])
      const answer = await fetch(input, { ...init, signal, redirect: 'manual' })
      const waitMs = waitAfter(answer, waits)
      if (waitMs === undefined) return answer
      await answer.body?.cancel()
      await sleep(waitMs, undefined, { signal: ending })
      return ask(waits + 1)
    }
    const response = await ask(0).catch(fail)
    const { status, headers } = response
    const requestId = headers.get('X-Request-Id') ?? ''
    exchange = { call, status, requestId, headers }
    assert(
      status < 300 || status === 304 || status >= 400,
      `${call} answered ${status} to ${headers.get('Location')}: use the address that needs no redirect`,
    )
    const text = await response.text().catch(fail)
    assertContract(method, path, status, text)
    assert(requestId !== '', `${call} answered ${status} without the header X-Request-Id`)
    return new Response(status === 304 ? null : text, { status, headers })
  }
  return {
    fetch: send,
    last: () => exchange,
    endWith(signal) {
      ending = signal
    },
  }
}
