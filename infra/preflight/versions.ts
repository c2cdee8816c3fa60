import { graphVersion, graphVersionEndsOn } from '../../shared/platforms/graph/site.ts'
import { version as linkedinVersion, versionEndsOn } from '../../shared/platforms/linkedin/api.ts'
import { dayMs } from '../../shared/time.ts'

export interface Finding {
  outcome: 'ok' | 'warning' | 'failed'
  text: string
}

/** A version of a platform's API that the calls name, and the day on which the platform no longer answers it. */
interface PinnedVersion {
  api: string
  version: string
  /** YYYY-MM-DD. */
  endsOn: string
}

/** X v2, Threads v1.0, TikTok v2, Pinterest v5, YouTube v3, Discord v10, and Slack have no end that is known. */
export const pinnedVersions: readonly PinnedVersion[] = [
  { api: 'LinkedIn API', version: linkedinVersion, endsOn: versionEndsOn },
  { api: 'Graph API of Facebook and Instagram', version: graphVersion, endsOn: graphVersionEndsOn },
]

const noticeDays = 90

/** Whether a version is still answered, and for how long. */
export const findingOf = ({ api, version, endsOn }: PinnedVersion, nowMs: number): Finding => {
  const days = Math.floor((Date.parse(endsOn) - nowMs) / dayMs)
  if (days < 0) return { outcome: 'failed', text: `${api} ${version} ended on ${endsOn}: deploy a newer release` }
  return { outcome: days < noticeDays ? 'warning' : 'ok', text: `${api} ${version} is answered until ${endsOn}` }
}

// `node infra/preflight/versions.ts [time]`: fails from 90 days before the end of a version on.
if (import.meta.main) {
  const [, , time] = process.argv
  const findings = pinnedVersions.map((pinned) => findingOf(pinned, time === undefined ? Date.now() : Date.parse(time)))
  for (const { outcome, text } of findings) process.stdout.write(`${outcome.padEnd(8)} ${text}\n`)
  process.exitCode = findings.every(({ outcome }) => outcome === 'ok') ? 0 : 1
}
