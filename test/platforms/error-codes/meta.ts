import { classifyGraphError } from '../../../shared/platforms/graph/errors.ts'
import type { GraphSite } from '../../../shared/platforms/graph/site.ts'
import type { Form } from './form.ts'

/** The error format of Meta's platforms. */
export const meta = (site: GraphSite): Form => ({
  body(code, reason) {
    const [number, subcode] = code.split('/').map(Number)
    return { error: { message: reason, code: number || 0, ...(subcode ? { error_subcode: subcode } : {}) } }
  },
  classify: (response) => classifyGraphError(site, response, { creates: true, secrets: [] }),
})
