/** How one step ended. */
export interface StepResult {
  step: string
  outcome: 'ok' | 'skipped' | 'failed'
  ms: number
  /** Of the step's last request; empty if none got a response. */
  requestId: string
  detail: string
}

/** The whole test, as `--json` prints it. */
export interface Report {
  baseUrl: string
  outcome: 'ok' | 'failed'
  steps: StepResult[]
}

const sign = { ok: 'ok     ', skipped: 'skipped', failed: 'FAILED ' }

/** One line per step, aligned. */
export const lineOf = ({ step, outcome, ms, requestId, detail }: StepResult): string =>
  [sign[outcome], step.padEnd(30), `${ms} ms`.padStart(9), requestId.padEnd(36), detail].join('  ').trimEnd()

export const summaryOf = (steps: readonly StepResult[]): string => {
  const count = (outcome: StepResult['outcome']) => steps.filter((step) => step.outcome === outcome).length
  const skipped = count('skipped')
  return `${count('ok')} ok, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}
