import { OutboundError, type OutboundRequest } from './outbound.ts'

/** How far a request got: `tls` follows the TCP connection, `sent` begins before its first byte is written. */
export type Stage = 'dns' | 'connect' | 'tls' | 'sent'

const phrases = { dns: 'The name lookup of', connect: 'The connection to', tls: 'The TLS handshake with' }

export interface Progress {
  stage(): Stage
  enter(next: Stage): void
  /** The head of the response has arrived. */
  answered(): void
  /** Removes all limits. */
  stop(): void
}

/** Follows a request through its stages; calls `end` once if it exceeds one of its limits. */
export function followProgress(request: OutboundRequest, host: string, end: (late: OutboundError) => void): Progress {
  let stage: Stage = 'dns'
  const after = (ms: number | undefined, text: string) =>
    ms === undefined ? undefined : setTimeout(() => end(new OutboundError('timeout', stage === 'sent', text)), ms)
  const { totalMs, connectMs, firstByteMs, stagesMs } = request
  const total = after(totalMs, `${host} did not respond in full within ${totalMs} ms.`)
  const connect = after(connectMs, `No connection to ${host} within ${connectMs} ms.`)
  let ofStage: NodeJS.Timeout | undefined
  let stopped = false
  return {
    stage: () => stage,
    enter(next) {
      // A lookup that was abandoned may still complete.
      if (stopped) return
      stage = next
      clearTimeout(ofStage)
      if (next === 'sent') {
        clearTimeout(connect)
        ofStage = after(firstByteMs, `${host} did not begin to respond within ${firstByteMs} ms.`)
      } else ofStage = after(stagesMs?.[next], `${phrases[next]} ${host} took longer than ${stagesMs?.[next]} ms.`)
    },
    answered: () => clearTimeout(ofStage),
    stop() {
      stopped = true
      for (const timer of [total, connect, ofStage]) clearTimeout(timer)
    },
  }
}
