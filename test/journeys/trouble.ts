import { setTimeout as sleep } from 'node:timers/promises'
import type { FunctionEffect, ObserveFunction } from '../../infra/local/service/invocation.ts'
import { OutboundError } from '../../shared/net/outbound.ts'
import { Crash } from '../support/crash.ts'

/** The calls that make a post public, as observed. */
const creates: Readonly<Record<string, string>> = {
  bluesky: 'POST /xrpc/com.atproto.repo.putRecord',
  discord: 'POST /channels/{channel}/messages',
}

export const isCreate = ({ service, action }: FunctionEffect): boolean => creates[service] === action

/** A seam that lets everything pass until a test puts trouble into it. */
export const makeTrouble = () => {
  const none: ObserveFunction = (_effect, run) => run()
  let trouble = none
  const observe: ObserveFunction = (effect, run) => trouble(effect, run)
  return {
    observe,
    begin(next: ObserveFunction) {
      trouble = next
    },
    end() {
      trouble = none
    },
  }
}

/** The platform does not listen: no byte of a call can have been sent. */
export const unreachable =
  (platform: string): ObserveFunction =>
  async (effect, run) => {
    if (effect.service === platform) throw new OutboundError('connect', false, 'No connection could be made.')
    return run()
  }

const timeoutMs = 250

/** Gives up on a platform soon, as the product does after half a minute. */
export const impatient =
  (platform: string): ObserveFunction =>
  async (effect, run) => {
    if (effect.service !== platform) return run()
    const giveUp = sleep(timeoutMs, undefined, { ref: false }).then(() => {
      throw new OutboundError('timeout', true, 'No answer in time.')
    })
    return Promise.race([run(), giveUp])
  }

/** The process dies at the call that makes a post public, so many times: before it leaves, or when it has landed. */
export const dyingAtCreate = (side: 'before' | 'after', times = 1): ObserveFunction => {
  let left = times
  return async (effect, run) => {
    if (!isCreate(effect) || left === 0) return run()
    left -= 1
    if (side === 'after') await run()
    throw new Crash(`${side} the call`)
  }
}

/** The publisher dies once, before or after the effect with this number, counted from 0. */
export const dyingAtEffect = (side: 'before' | 'after', number: number) => {
  let left = number
  let hasDied = false
  const observe: ObserveFunction = async (effect, run) => {
    if (effect.functionName !== 'publish-post' || hasDied) return run()
    if (left > 0) {
      left -= 1
      return run()
    }
    hasDied = true
    if (side === 'after') await run()
    throw new Crash(`${side} effect ${number}`)
  }
  return { observe, hasDied: () => hasDied }
}

/** So many of those calls are lost from sight: they arrive only when the test lets them. */
export const lateCalls = (times: number, isOne: (effect: FunctionEffect) => boolean) => {
  const late: (() => Promise<unknown>)[] = []
  const observe: ObserveFunction = async (effect, run) => {
    if (!isOne(effect) || late.length === times) return run()
    late.push(run)
    throw new OutboundError('reset', true, 'The connection broke.')
  }
  return { observe, arrive: () => Promise.all(late.map((run) => run())) }
}

export const lateCreates = (times: number) => lateCalls(times, isCreate)
