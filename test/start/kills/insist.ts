import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../functions/client.ts'
import { cutOff, type Journal } from './journal.ts'
import type { Tree } from './tree.ts'

/** How a request ended that was sent until it was answered. */
export type Outcome<T> = (
  | { kind: 'done'; data: T }
  /** By an answer that says that nothing was done. */
  | { kind: 'refused'; status: number; body: Readonly<Record<string, unknown>> }
) & {
  /** How often it was sent and not answered: each of these may have been carried out. */
  cutOff: number
}

export interface Insisting {
  tree: Pick<Tree, 'whenUp' | 'isUp'>
  journal: Pick<Journal, 'complaints' | 'tally'>
}

const maxTries = 60

/** Whether the request is to be sent again after a while: its caller is limited, or the service was not able to finish it. */
const isUnfinished = ({ status, body }: ApiError): boolean => status >= 500 || body['code'] === 'rate_limited'

const waitMs = ({ headers }: ApiError): number => Math.min(5, Number(headers.get('Retry-After') ?? 1)) * 1000

/** fetch fails with a TypeError, or where it waits for too long with a TimeoutError. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TypeError' || error.name === 'TimeoutError')

/** Sends a request until it is answered, over any number of deaths of the service. */
export const insist = async <T>(
  label: string,
  { tree, journal }: Insisting,
  send: () => Promise<T>,
): Promise<Outcome<T>> => {
  const count = (answer: string) => journal.tally.set(answer, (journal.tally.get(answer) ?? 0) + 1)
  let unanswered = 0
  for (let tries = 0; tries < maxTries; tries += 1) {
    const life = await tree.whenUp()
    try {
      const data = await send()
      count('2xx')
      return { kind: 'done', data, cutOff: unanswered }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        if (!isCutOff(error)) throw error
        count(cutOff)
        unanswered += 1
        if (tree.isUp(life))
          journal.complaints.push(`${label} was not answered, and the service had not been killed: ${error}`)
        continue
      }
      const { status, body } = error
      count(`${status} ${body['code']}`)
      if (!isUnfinished(error)) return { kind: 'refused', status, body, cutOff: unanswered }
      if (body['code'] === 'outcome_unknown') unanswered += 1
      else if (status >= 500 && status !== 503) {
        unanswered += 1
        journal.complaints.push(`${label} was answered ${status}: ${JSON.stringify(body)}`)
      }
      await sleep(waitMs(error))
    }
  }
  throw new Error(`${label} has not been answered after ${maxTries} tries`)
}
