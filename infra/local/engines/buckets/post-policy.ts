import { S3Error } from './error.ts'

/** The smallest and largest file that a policy accepts. */
export interface FileLimits {
  minBytes: number
  maxBytes: number
}

type Condition =
  | { kind: 'eq' | 'starts-with'; field: string; value: string }
  | { kind: 'content-length-range'; minBytes: number; maxBytes: number }

/** Fields that need no condition. */
const free = ['x-amz-signature', 'file', 'policy', 'bucket']

function refuse(reason: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`)
}

function invalid(reason: string): S3Error {
  return new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}`)
}

function readCondition(source: unknown): Condition[] {
  if (Array.isArray(source)) {
    const [kind, first, second]: unknown[] = source
    if (kind === 'content-length-range' && Number.isInteger(Number(first)) && Number.isInteger(Number(second))) {
      return [{ kind, minBytes: Number(first), maxBytes: Number(second) }]
    }
    const isMatch = kind === 'eq' || kind === 'starts-with'
    if (isMatch && typeof first === 'string' && first.startsWith('$') && typeof second === 'string') {
      return [{ kind, field: first.slice(1).toLowerCase(), value: second }]
    }
  } else if (typeof source === 'object' && source !== null) {
    return Object.entries(source).map(([field, value]) => ({
      kind: 'eq',
      field: field.toLowerCase(),
      value: `${value}`,
    }))
  }
  throw invalid(`unknown condition ${JSON.stringify(source)}`)
}

function readJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    throw invalid('it is no JSON')
  }
}

function readPolicy(text: string): { expiresAt: number; conditions: Condition[] } {
  const policy = readJson(text)
  const isObject = typeof policy === 'object' && policy !== null
  if (!isObject || !('expiration' in policy) || !('conditions' in policy) || !Array.isArray(policy.conditions)) {
    throw invalid('it needs expiration and conditions')
  }
  const expiresAt = Date.parse(`${policy.expiration}`)
  if (Number.isNaN(expiresAt)) throw invalid('its expiration is no date')
  return { expiresAt, conditions: policy.conditions.flatMap(readCondition) }
}

/** Checks a form against its policy: not expired, every condition met, no field without a condition. */
export function checkPolicy(text: string, fields: ReadonlyMap<string, string>, now: number): FileLimits {
  const { expiresAt, conditions } = readPolicy(text)
  if (now > expiresAt) throw refuse('Policy expired.')
  const limits = { minBytes: 0, maxBytes: Number.MAX_SAFE_INTEGER }
  const named = new Set(free)
  for (const condition of conditions) {
    if (condition.kind === 'content-length-range') {
      limits.minBytes = Math.max(limits.minBytes, condition.minBytes)
      limits.maxBytes = Math.min(limits.maxBytes, condition.maxBytes)
      continue
    }
    const { kind, field, value } = condition
    const given = fields.get(field)
    const holds = kind === 'eq' ? given === value : given?.startsWith(value)
    if (!holds) throw refuse(`Policy Condition failed: ${JSON.stringify([kind, `$${field}`, value])}`)
    named.add(field)
  }
  const extra = [...fields.keys()].filter((field) => !named.has(field) && !field.startsWith('x-ignore-'))
  if (extra.length > 0) throw refuse(`Extra input fields: ${extra.join(', ')}`)
  return limits
}
