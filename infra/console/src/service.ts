import { computed, signal } from '@preact/signals'
import { createClient, SocialError } from 'social-publishing-client'
import { messageOf } from './messages.ts'

type Message = ReturnType<typeof messageOf>

/** The address of the service: pages work below any base path. */
export const baseUrl = location.href.replace(/\/console(?:[?#].*)?$/, '')

const client = createClient({ baseUrl, headers: { 'X-Requested-With': 'console' } })

/** The same client in a workspace. */
export const inWorkspace = (id: string) => client.withWorkspace(id)
export const service = client

/** What the page says to everyone: that the session has ended, or what went wrong. */
export const isSignedOut = signal(false)
interface Notice {
  text: string
  isBad?: boolean
  /** What the service answered, for people who want to know. */
  details?: string
  /** Takes back what was done. It is offered for ten seconds. */
  undo?: () => unknown
}

export const notice = signal<Notice | undefined>(undefined)

export const say = (text: string, more: Omit<Notice, 'text'> = {}): void => {
  notice.value = { text, ...more }
}

/** Takes back what the notice offers to take back. */
export const undo = (): void => {
  const { undo: takeBack } = notice.value ?? {}
  if (takeBack === undefined) return
  notice.value = undefined
  void takeBack()
}

/** Whether a request was refused for what it says, so that the same one is refused again. */
export const isRefused = (error: unknown): boolean => error instanceof SocialError && error.status === 400

/** Runs a call. What goes wrong is shown, and the result is undefined: what was typed stays where it is. */
export const attempt = async <T>(
  call: () => Promise<T>,
  onError = ({ text, ...details }: Message): void => say(text, { isBad: true, ...details }),
): Promise<T | undefined> => {
  try {
    return await call()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    if (error instanceof SocialError && error.status === 401) isSignedOut.value = true
    else onError(messageOf(error))
    return undefined
  }
}

/** A number that grows when someone tries again. */
export const retries = signal(0)

const failures = signal<readonly { text: string }[]>([])
/** Why something that belongs to the page now could not be read. */
export const readFailure = computed(() => failures.value.at(-1)?.text)

/**
 * Runs a call that reads what a view shows. After an error, the page offers to try again, until the signal says that
 * no one waits for this read: another one is on its way, or the view is left.
 */
export const attemptRead = async <T>(call: () => Promise<T>, ending: AbortSignal): Promise<T | undefined> => {
  const value = await attempt(call, ({ text }) => {
    if (ending.aborted) return
    const failure = { text }
    failures.value = [...failures.value, failure]
    ending.addEventListener('abort', () => {
      failures.value = failures.value.filter((other) => other !== failure)
    })
  })
  return ending.aborted ? undefined : value
}

export const tryAgain = (): void => {
  failures.value = []
  retries.value += 1
}
