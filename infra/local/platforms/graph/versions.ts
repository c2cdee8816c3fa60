import type { EngineClock } from '../../engines/engine.ts'

/** Versions that are newer than this one, and since when there are (Graph API, Changelog). */
const current = 25
const newer: Readonly<Record<number, string>> = { 26: '2026-07-29', 27: '2026-11-04' }

/** The versions since Graph API has versions; an ended one is served as the oldest that has not ended (Platform versioning). */
const first = 2

/** The path of routes of v25.0 for a path with any existing version, or without one. */
export const versionless =
  ({ now }: EngineClock) =>
  (path: string): string => {
    const [version, digits = ''] = /\/v(\d{1,3})\.0(?=\/)/.exec(path) ?? []
    if (version === undefined) return path
    const number = Number(digits)
    const since = newer[number]
    const isThere = since === undefined ? number >= first && number <= current : now() >= Date.parse(since)
    return isThere ? path.replace(version, `/v${current}.0`) : path
  }
