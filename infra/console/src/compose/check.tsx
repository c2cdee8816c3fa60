import { useEffect, useState } from 'preact/hooks'
import { attempt, type service } from '../service.ts'
import { api } from '../store.ts'
import type { contentOf } from './request.ts'

export type Checked = Awaited<ReturnType<typeof service.posts.validate>>

/** How long after the last key the text is checked, in milliseconds. */
const pauseMs = 500

/** What the service says about the post: the same checks as when it is sent. */
export const useValidation = (body: ReturnType<typeof contentOf>): Checked | undefined => {
  const [checked, setChecked] = useState<Checked>()
  const text = JSON.stringify(body)
  useEffect(() => {
    if (body.socialAccountIds.length === 0) {
      setChecked(undefined)
      return
    }
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const result = await attempt(() => api().posts.validate(body, { signal: ending.signal, maxRetries: 0 }))
      if (result !== undefined) setChecked(result)
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text])
  return checked
}

export const Counter = ({ checked, platform }: { checked: Checked | undefined; platform: string }) => {
  // Accounts of one platform can have limits of their own: the tightest counts.
  const lengths = checked?.lengths.filter((length) => length.platform === platform) ?? []
  const [first] = lengths.toSorted((a, b) => a.max - a.used - (b.max - b.used))
  if (first === undefined) return null
  return (
    <span class={first.used > first.max ? 'counter over' : 'counter'}>
      {first.used}/{first.max} {first.unit === 'bytes' ? 'bytes' : ''}
    </span>
  )
}

export const Findings = ({ checked }: { checked: Checked | undefined }) => {
  const all = [...(checked?.issues ?? []), ...(checked?.warnings ?? [])]
  if (all.length === 0) return null
  const isIssue = (n: number) => n < (checked?.issues.length ?? 0)
  return (
    <ul class="findings" aria-live="polite">
      {all.map(({ message, next }, n) => (
        <li key={`${n}${message}`} class={isIssue(n) ? 'bad' : 'warning'}>
          <strong>{isIssue(n) ? 'Fix' : 'Check'}:</strong> {message} {next}
        </li>
      ))}
    </ul>
  )
}
