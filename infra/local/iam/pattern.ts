/** Whether a value has the form of a pattern. */
export type Matches = (value: string) => boolean

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A policy variable would be filled in by AWS; here it would be compared as text. */
const assertPlain = (pattern: string): void => {
  if (pattern.includes('${')) throw new Error(`the local IAM does not know the policy variable in ${pattern}`)
}

/** A pattern of StringLike: `*` for any characters, `?` for one. */
export const like = (pattern: string): Matches => {
  assertPlain(pattern)
  const source = escaped(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')
  const form = new RegExp(`^${source}$`, 's')
  return (value) => form.test(value)
}

/** A pattern of actions, which have no case. */
export const actionLike = (pattern: string): Matches => {
  const matches = like(pattern.toLowerCase())
  return (action) => matches(action.toLowerCase())
}

/**
 * A pattern of ARNs. Wildcards stay within a segment, except `*` at the end of one (IAM reference, "Resource", "Using
 * wildcards in resource ARNs").
 */
export const arnLike = (pattern: string): Matches => {
  assertPlain(pattern)
  if (pattern === '*') return () => true
  if (pattern.split(':').length < 6) throw new Error(`the local IAM does not know the incomplete ARN ${pattern}`)
  if (!/[*?]/.test(pattern)) return (arn) => arn === pattern
  const source = escaped(pattern)
    .replace(/\\\*(?=:|$)/g, '.*')
    .replaceAll('\\*', '[^:]*')
    .replaceAll('\\?', '[^:]')
  const form = new RegExp(`^${source}$`, 's')
  return (arn) => form.test(arn)
}
