import type { Route } from '../../functions/routes.ts'
import { story } from '../../infra/openapi/examples/story.ts'
import { codeSamples } from '../../infra/openapi/samples.ts'
import { type Kit, start } from '../support/start.ts'
import { type Language, runSample } from './run-sample.ts'
import { replaceAll } from './values.ts'
import { prepare } from './world.ts'

/** Runs the sample of an operation as it stands, but for the values of the story. */
const printed = async (
  kit: Kit,
  route: Route,
  language: Language,
  source: string,
  packages?: string,
): Promise<string> => {
  const { good, world } = await prepare(route, kit)
  const { token = '' } = good
  const env = { BASE: kit.url, TOKEN: token, SESSION: token, WORKSPACE: world.get(story.workspace) ?? '' }
  return runSample(language, replaceAll(source, world), env, packages)
}

const raw = ({ endpoint }: Route) => endpoint.contract.data === undefined

const succeeded = (route: Route, language: Language, output: string): boolean => {
  // The client prints the data, or throws.
  if (language === 'TypeScript') return output !== '' && !output.includes('Command failed')
  if (raw(route)) return output.includes('{')
  const body = language === 'curl' ? output : output.replace(`${route.endpoint.contract.status} `, '')
  return body.startsWith('{"success":true')
}

/** Runs the samples of these operations against a separate service; returns a line for each failure. */
export const sampleFaults = async (
  routes: readonly Route[],
  language: Language,
  packages?: string,
): Promise<string[]> => {
  const kit = await start({ startMs: Date.parse('2026-12-01T09:00:00Z') })
  const faults: string[] = []
  for (const route of routes) {
    const source = codeSamples(route).find(({ label }) => label === language)?.source ?? ''
    const output = await printed(kit, route, language, source, packages)
    if (!succeeded(route, language, output)) faults.push(`${route.operation}: ${output.slice(0, 400)}`)
  }
  return faults
}
