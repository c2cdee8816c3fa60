import { expect } from 'vitest'
import type { Decided } from '../../infra/local/iam/authority.ts'

/** Notes what IAM denies during a test. */
export const watchDenials = () => {
  const denied = new Set<string>()
  return {
    see({ principal, access, decision }: Decided) {
      if (decision.allowed) return
      const name = principal.kind === 'service' ? principal.service : principal.arn.split('/').at(-1)
      denied.add(`${name} was denied ${access.action} on ${access.resource}`)
    },
    denied,
    /**
     * Fails where a function was denied anything, or where it looked for a variable that only another need sets: it
     * lacks a need, whatever it made of the error.
     */
    assertNone(logged: readonly string[]) {
      const missing = logged.filter((line) => /environment variable \S+ is not set/.test(line))
      expect([...denied, ...missing]).toEqual([])
    },
  }
}
