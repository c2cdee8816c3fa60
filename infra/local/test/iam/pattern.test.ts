import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { actionLike, arnLike, like } from '../../iam/pattern.ts'

/** The meaning of `*` and `?`, without regular expressions. */
const matches = (pattern: string, text: string): boolean => {
  const [first, rest] = [pattern[0], pattern.slice(1)]
  if (first === undefined) return text === ''
  if (first === '*') return matches(rest, text) || (text !== '' && matches(pattern, text.slice(1)))
  return text !== '' && (first === '?' || first === text[0]) && matches(rest, text.slice(1))
}

const letters = fc.constantFrom('a', 'b', '.', '/', '(', '\\', '-', '\n')
const texts = fc.string({ unit: letters, maxLength: 8 })
const patterns = fc.string({ unit: fc.oneof(letters, fc.constantFrom('*', '?')), maxLength: 8 })

test('a pattern matches as its definition says, whatever characters it has', () => {
  fc.assert(fc.property(patterns, texts, (pattern, text) => like(pattern)(text) === matches(pattern, text)))
})

test('a text matches itself and what it begins', () => {
  fc.assert(fc.property(texts, texts, (text, more) => like(text)(text) && like(`${text}*`)(text + more)))
})

test.each([
  // IAM reference, "Action".
  ['sqs:*', 'sqs:SendMessage', true],
  ['iam:*AccessKey*', 'iam:CreateAccessKey', true],
  ['SQS:sendmessage', 'sqs:SendMessage', true],
  ['sqs:SendMessage', 'sqs:SendMessageBatch', false],
])('the action %s and %s', (pattern, action, expected) => {
  expect(actionLike(pattern)(action)).toBe(expected)
})

const account = 'us-east-1:111122223333'

test.each([
  // IAM reference, "Resource", and S3 guide, "Policy resources for Amazon S3".
  ['arn:aws:s3:::amzn-s3-demo-bucket/*', 'arn:aws:s3:::amzn-s3-demo-bucket/Test/object:1', true],
  ['arn:aws:s3:::amzn-s3-demo-bucket/*/test/*', 'arn:aws:s3:::amzn-s3-demo-bucket/1/2/test/3.jpg', true],
  ['arn:aws:s3:::amzn-s3-demo-bucket/*', 'arn:aws:s3:::amzn-s3-demo-bucket', false],
  [`arn:aws:secretsmanager:${account}:secret:a-??????`, `arn:aws:secretsmanager:${account}:secret:a-AbCdEf`, true],
  [`arn:aws:secretsmanager:${account}:secret:a-??????`, `arn:aws:secretsmanager:${account}:secret:a`, false],
  // A wildcard within a segment stays in it.
  ['arn:aws:sqs:us-*-1:111122223333:jobs', `arn:aws:sqs:${account}:jobs`, true],
  ['arn:aws:sqs:us-*-1:111122223333:jobs', 'arn:aws:sqs:us-x:y-1:111122223333:jobs', false],
  [`arn:aws:sqs:${account}:?obs`, `arn:aws:sqs:${account}::obs`, false],
])('the ARN %s and %s', (pattern, arn, expected) => {
  expect(arnLike(pattern)(arn)).toBe(expected)
})

test('rejects policy variables and incomplete ARNs', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM's own syntax.
  expect(() => like('${aws:username}')).toThrow(/policy variable/)
  expect(() => arnLike('arn:aws:s3')).toThrow(/incomplete ARN/)
})
