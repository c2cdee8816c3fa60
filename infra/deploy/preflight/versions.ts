import { daysUntil, noticeDays, type PlatformApiEnds } from '../../../shared/platforms/api-end.ts'
import type { PlatformApi, PlatformDefinition } from '../../../shared/platforms/definition.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'

export interface Finding {
  outcome: 'ok' | 'warning' | 'failed'
  text: string
}

interface Ending extends Pick<PlatformDefinition, 'name'> {
  api: PlatformApi
  endsOn: string
}

/** The platforms whose API, or the version of it in use, has a known end; an operator may know better. */
export const endingPlatforms = (known: PlatformApiEnds = {}): readonly Ending[] =>
  definitions.flatMap(({ id, name, api }) => {
    const endsOn = known[id] === undefined ? api.endsOn : known[id]
    return api.endsOn === null || endsOn === null ? [] : [{ name, api, endsOn }]
  })

/**
 * Whether an API is still served, and for how long. An API that its platform closes is a warning: no release can change it,
 * and the other platforms can be deployed.
 */
export const findingOf = ({ name, endsOn, api: { version, closing } }: Ending, nowMs: number): Finding => {
  const days = daysUntil(endsOn, nowMs)
  const isSoon = days < noticeDays[0]
  if (closing !== undefined) return { outcome: isSoon ? 'warning' : 'ok', text: `${name} until ${endsOn}: ${closing}` }
  if (days < 1) return { outcome: 'failed', text: `${name} ${version} ended on ${endsOn}: deploy a newer release` }
  return { outcome: isSoon ? 'warning' : 'ok', text: `${name} ${version} is answered until ${endsOn}` }
}

// `node infra/deploy/preflight/versions.ts [time]`: fails from 90 days before an end on.
if (import.meta.main) {
  const [, , time] = process.argv
  const nowMs = time === undefined ? Date.now() : Date.parse(time)
  const findings = endingPlatforms().map((platform) => findingOf(platform, nowMs))
  for (const { outcome, text } of findings) process.stdout.write(`${outcome.padEnd(8)} ${text}\n`)
  process.exitCode = findings.every(({ outcome }) => outcome === 'ok') ? 0 : 1
}
