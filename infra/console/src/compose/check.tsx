import { useEffect, useState } from 'preact/hooks'
import { attempt, type service } from '../service.ts'
import { api } from '../store.ts'
import { blockFor } from './block.ts'
import { fieldLabelOf } from './fields.tsx'
import { knownPlatform, schemaOf } from './platforms.ts'
import type { contentOf } from './request.ts'
import { form } from './state.ts'

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

/** What a finding is about, so that it is shown there. */
type Area = 'text' | 'files' | 'options'

const areaOf = (field: string | undefined): Area =>
  /^(?:mediaUrls|platformMedia)/.test(field ?? '') ? 'files' : /^metadata/.test(field ?? '') ? 'options' : 'text'

interface Finding {
  platform: string
  area: Area
  isIssue: boolean
  text: string
}

/** What an issue says. A required field that is not filled in is named as the form names it. */
const issueTextOf = ({ field, message, next }: Checked['issues'][number]): string => {
  const [, platform = '', name] = /^metadata\.(\w+)(?:\.(\w+))?$/.exec(field ?? '') ?? []
  const known = knownPlatform(platform)
  const block = blockFor(form.value, platform)
  const { required = [] } = name === undefined ? schemaOf(platform) : { required: [name] }
  const missing = required.filter((other) => block[other] === undefined && other !== known?.text.field)
  if (known === undefined || missing.length === 0) return `${message} ${next ?? ''}`
  const labels = missing.map((other) => fieldLabelOf(platform, other))
  return `${known.name}: fill in ${new Intl.ListFormat('en').format(labels)}.`
}

/** Everything that the service says about the post, each text once per platform. */
export const findingsOf = (checked: Checked | undefined): Finding[] => {
  const issues = checked?.issues.map((issue) => ({ ...issue, isIssue: true, text: issueTextOf(issue) })) ?? []
  // Authors do not pay the platform.
  const warnings = (checked?.warnings ?? [])
    .filter(({ code }) => code !== 'platform_price')
    .map((warning) => ({ ...warning, isIssue: false, text: `${warning.message} ${warning.next}` }))
  const all = [...issues, ...warnings].map(({ platform, field, isIssue, text }): Finding => {
    return { platform, area: areaOf(field), isIssue, text }
  })
  return [...new Map(all.map((finding) => [`${finding.platform} ${finding.text}`, finding])).values()]
}

interface FindingsProps {
  checked: Checked | undefined
  /** Of one platform; of all if absent. */
  platform?: string | undefined
  /** About one part of the form; about everything if absent. */
  area?: Area
}

/** What has to be fixed, or should be checked, next to what it is about. */
export const Findings = ({ checked, platform, area }: FindingsProps) => {
  const shown = findingsOf(checked).filter(
    (finding) =>
      (platform === undefined || finding.platform === platform) && (area === undefined || finding.area === area),
  )
  if (shown.length === 0) return null
  return (
    <ul class="findings" aria-live="polite">
      {shown.map(({ isIssue, text }, n) => (
        <li key={`${n}${text}`} class={isIssue ? 'bad' : 'warning'}>
          <strong>{isIssue ? 'Fix' : 'Check'}:</strong> {text}
        </li>
      ))}
    </ul>
  )
}
