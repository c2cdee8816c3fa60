import { officialCheck } from '../official-schema.ts'
import type { Call } from '../standin.ts'
import { refuse } from './refuse.ts'

/** Reads JSON bodies that Pinterest's schema must allow; its first error is the rejection. */
export function bodyReader(schema: 'PinCreate' | 'BoardCreate' | 'MediaUploadCreate'): (call: Call) => unknown {
  const check = officialCheck('pinterest/schema/pinterest.json', schema)
  return ({ headers, body }) => {
    if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) refuse(415, 1, 'The body must be JSON')
    const json = parse(body)
    const [first] = check(json)
    if (first) refuse(400, 1, `Invalid request: '${first.path.join('.')}' ${first.message}`)
    return json
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return refuse(400, 1, 'The request body is no JSON')
  }
}
