import type { GraphClassification, GraphError } from '../graph/site.ts'
import { commonErrors } from '../platform-error.ts'

const prepareAgain = { preparedGone: true }
const dropped: GraphClassification = ['transient', 'dropped the prepared post.', prepareAgain]
const notFetched: GraphClassification = [...commonErrors.mediaNotFetched, prepareAgain]
const { stillProcessing, postRejected } = commonErrors

/** Instagram's own errors beyond Meta's common ones, by subcode (Instagram Platform, Error Codes). */
const subcodes = new Map<number, GraphClassification>([
  [2207001, ['temporary', 'had an internal error.']],
  [2207003, notFetched],
  [2207006, dropped],
  [2207020, dropped],
  [2207027, stillProcessing],
  [2207032, dropped],
  [2207042, commonErrors.dailyLimitReached],
  [2207050, ['blocked', 'restricted this account, or the account is not active']],
  [2207051, ['blocked', 'blocked the post as spam']],
  [2207052, notFetched],
  [2207053, dropped],
  [2207077, notFetched],
  [
    2207081,
    [
      'invalid',
      'does not offer trial reels to this account. Leave out metadata.instagram.trialParams, or check in the app whether the account has them.',
    ],
  ],
])
const codes = new Map<number, GraphClassification>([
  [9, commonErrors.dailyLimitReached],
  [9004, notFetched],
  [9007, stillProcessing],
])

/** For a container in error, the subcode is in the text of its status. */
const passing = /\b(2207001|2207003|2207008|2207020|2207032|2207052|2207053|2207077|2207082|2207085)\b/

/** Whether media that failed with this text may pass when it is tried again. */
export const mayPass = (message: string): boolean => !/\b22\d{5}\b/.test(message) || passing.test(message)

/** A personal account, or one that was made personal since (Instagram API, Error Codes). */
const notProfessional: GraphClassification = [
  'permission',
  'account is not a professional one. Change it to a business or creator account in Instagram, then reconnect it.',
]

/** Every other subcode of Instagram's own is about the content, whatever its code says. */
const aboutContent = ({ subcode = 0 }: GraphError) =>
  subcode >= 2_207_000 && subcode < 2_208_000 && ![2207008, 2207082].includes(subcode)

export const classify = (error: GraphError): GraphClassification | undefined => {
  if (/not an Instagram Business/i.test(error.message)) return notProfessional
  return subcodes.get(error.subcode ?? 0) ?? (aboutContent(error) ? postRejected : codes.get(error.code))
}
