import { join } from 'node:path'
import { launch, type Running } from '../processes.ts'

const script = join(import.meta.dirname, '../../../infra/commands/smoke.ts')

/** Starts the smoke test, as `npm run smoke` does; the token is in the environment. */
export const launchSmoke = (token: string, ...args: readonly string[]): Running =>
  launch(process.execPath, [script, ...args], { SMOKE_TOKEN: token })

/** Runs the smoke test to its end. */
export const smoke = async (token: string, ...args: readonly string[]) => {
  const running = launchSmoke(token, ...args)
  const code = await running.ended
  const output = running.output()
  const lines = output.trimEnd().split('\n')
  const withOutcome = (outcome: string) => lines.filter((line) => line.startsWith(outcome))
  return { code, output, lines, failed: withOutcome('FAILED'), skipped: withOutcome('skipped') }
}
