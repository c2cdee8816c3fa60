import type { Route } from '../../functions/routes.ts'
import { type SampledCall, sampledCall } from './samples/call.ts'
import { inClient } from './samples/client.ts'
import { inCurl } from './samples/curl.ts'
import { inGo } from './samples/go.ts'
import { inNode } from './samples/node.ts'
import { inPython } from './samples/python.ts'

const languages = [
  { lang: 'Shell', label: 'curl', write: inCurl },
  { lang: 'TypeScript', label: 'TypeScript', write: inClient },
  { lang: 'JavaScript', label: 'Node.js', write: inNode },
  { lang: 'Python', label: 'Python', write: inPython },
  { lang: 'Go', label: 'Go', write: inGo },
] satisfies readonly { lang: string; label: string; write(call: SampledCall): string }[]

/**
 * The example of an operation as code. The samples read `BASE`, `TOKEN` or `SESSION`, and `WORKSPACE` from the
 * environment, as `eval "$(npm run -s env)"` sets them.
 */
export const codeSamples = (route: Route): { lang: string; label: string; source: string }[] => {
  const call = sampledCall(route)
  return call === undefined ? [] : languages.map(({ lang, label, write }) => ({ lang, label, source: write(call) }))
}
