import { classifyGraphError } from '../../../shared/platforms/graph/errors.ts'
import type { GraphSite } from '../../../shared/platforms/graph/site.ts'
import type { Form } from './form.ts'

/** How the platforms of Meta say no. */
export const meta = (site: GraphSite): Form => ({
  body(code, words) {
    const [number, subcode] = code.split('/').map(Number)
    return { error: { message: words, code: number || 0, ...(subcode ? { error_subcode: subcode } : {}) } }
  },
  classify: (response) => classifyGraphError(site, response, { creates: true, secrets: [] }),
})
