import { cutText } from '../text/cut.ts'
import type { PublishedPost } from './post.ts'

/** Why a call to a platform failed. The publisher decides by this class, never by platform. */
export type ErrorClass =
  /** The access token is invalid, and a refresh did not help or was not tried yet. */
  | 'auth'
  /** The grant lacks a scope or role, or the account is closed or suspended. */
  | 'permission'
  /**
   * The platform rejects this post, or all posts for a while, although the connection works: moderation, a locked
   * account.
   */
  | 'blocked'
  /** Rate limited until a known time. Does not use up a try. */
  | 'rate'
  /** A quota of hours or days is used up. */
  | 'quota'
  /** The platform will never accept this content. */
  | 'invalid'
  /** Rejected as a repeat of recent content. */
  | 'duplicate'
  /** Nothing was created: retry. */
  | 'transient'
  /** The post may or may not have been created: never repeated blindly. */
  | 'unknown'

export interface ErrorInfo {
  httpStatus?: number
  retryAfterSeconds?: number
  /** The platform's own name or number of the error. */
  code?: string
  /** The preparation no longer exists: prepare again before the next try. */
  preparedGone?: boolean
  /** The state of the preparation could not be queried: it is retained for the next try. */
  preparedUnseen?: boolean
  /** Another record holds our key: the next try needs another key. */
  keyTaken?: boolean
  /** The earlier post that this one repeats, if the platform names it. */
  original?: PublishedPost
  /** The resource that the call named, such as a subreddit, does not exist at the platform. */
  notFound?: boolean
  /** What the platform returned before its outcome was unknown. Later probes use it instead of the preparation. */
  ref?: Readonly<Record<string, unknown>>
  /** The platform's message, shortened. */
  detail?: string
  /** Method and path of the request that failed, with parameter names instead of values. */
  request?: string
  /** The platform's id of that request, from a header of the response. */
  requestId?: string
  /** The platform does not respond, or reports that it is unavailable. */
  outage?: boolean
  /** The operator's app is at fault, not the account: alarm, leave the account connected, and wait until it is fixed. */
  operator?: boolean
  /** The refresh itself was rejected: to ask again cannot help. */
  refreshRejected?: boolean
  /** The platform no longer serves the API, or the version of it, that this service calls. */
  apiEnded?: boolean
  /** Only this post is not permitted: the account can publish other posts, and stays connected. */
  otherPostsWork?: boolean
}

/** The only error an adapter throws on purpose. Its message is a sentence for the author of the post. */
export class PlatformError extends Error {
  override name = 'PlatformError'
  readonly errorClass: ErrorClass
  readonly info: ErrorInfo
  constructor(errorClass: ErrorClass, message: string, info: ErrorInfo = {}) {
    super(cutText(message, maxMessage))
    this.errorClass = errorClass
    this.info = bounded(info)
  }
}

/** The most that an error stores of a platform's message, in UTF-16 code units. */
const [maxMessage, maxCode] = [1_000, 100]

const bounded = ({ code, detail, ...info }: ErrorInfo): ErrorInfo => ({
  ...info,
  ...(code === undefined ? {} : { code: cutText(code, maxCode) }),
  ...(detail === undefined ? {} : { detail: shortDetail(detail) }),
})

/** Whether the preparation no longer exists at the platform. */
export const isPreparedGone = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.info.preparedGone === true

const isRefusal = ({ httpStatus = 0 }: ErrorInfo) => httpStatus >= 400 && httpStatus < 500

/**
 * Whether any post would fail like this, because the platform is down or refuses the operator's app: the post waits until
 * that ends. An error about this post or its preparation is not an outage.
 */
export const isOutage = ({ errorClass, info }: Pick<PlatformError, 'errorClass' | 'info'>): boolean => {
  if (info.operator) return true
  const isDown = info.outage === true || (info.httpStatus ?? 0) >= 500
  return errorClass === 'transient' && isDown && !isRefusal(info) && !info.preparedGone
}

/** After this many rejections of one preparation it is created again: a platform may reject it forever. */
const refusalsOfOne = 2

/**
 * Whether the preparation is created again before the next try, after this many failed tries: it no longer exists, or the
 * platform has rejected it again and certainly published nothing.
 */
export const isMadeAnew = ({ errorClass, info }: PlatformError, failedTries: number): boolean => {
  const { preparedGone, preparedUnseen } = info
  const isRefused = errorClass === 'transient' && isRefusal(info) && preparedUnseen !== true
  return preparedGone === true || (isRefused && failedTries % refusalsOfOne === 0)
}

/**
 * Whether an error ends the connection of the account, so that its owner must reconnect it. Decided: only a revoked or
 * expired grant, a lost role, and a closed or suspended account do.
 */
export const endsConnection = ({ errorClass, info }: PlatformError): boolean =>
  (errorClass === 'auth' || errorClass === 'permission') && !info.operator && !info.otherPostsWork

/**
 * What an error response means: its class, a sentence that continues the platform's name, and more details. A sentence
 * without a full stop is followed by the platform's message.
 */
export type Classification = readonly [errorClass: ErrorClass, sentence: string, info?: ErrorInfo]

/** The errors that all platforms share. */
export const commonErrors = {
  accessRevoked: ['auth', 'access was revoked or expired. Reconnect the account.'],
  scopesMissing: [
    'permission',
    'access lacks permissions that publishing needs. Reconnect the account and grant all of them.',
  ],
  roleLost: ['permission', 'no longer lets this service act for the account. Reconnect the account.'],
  appRejected: [
    'permission',
    "rejected this service's app credentials. Contact the operator of this service.",
    { operator: true },
  ],
  rateLimited: ['rate', 'rate limit reached for this account. Try again later.'],
  // Windows of 24 hours whose end the platform does not report: retried each hour while the post may still be sent.
  dailyLimitReached: [
    'quota',
    'daily limit reached for this account. Try again tomorrow.',
    { retryAfterSeconds: 3600 },
  ],
  unavailable: ['transient', 'is temporarily unavailable.', { outage: true }],
  unreachable: ['transient', 'could not be reached.', { outage: true }],
  noClearResponse: ['transient', 'did not return a clear response.', { outage: true }],
  mayBeLive: ['unknown', 'did not return a clear response. The post may be live.'],
  stillProcessing: ['transient', 'is still processing the media.'],
  mediaNotFetched: ['transient', 'could not download the media.'],
  /** On some platforms, a new post can be replied to only after seconds; or its author has deleted it. */
  parentNotShown: ['transient', 'does not show the post that this one replies to.'],
  loginRejected: ['invalid', 'rejected the login. Start it again.'],
  postRejected: ['invalid', 'rejected the post'],
} as const satisfies Record<string, Classification>

const maxDetail = 500

/** The platform's message, as stored and shown. */
export const shortDetail = (text: string): string => {
  const cut = cutText(text, maxDetail)
  return cut === text ? text : `${cut}…`
}

/** A message that starts with the platform's name; `text` is the platform's own. */
const messageOf = (name: string, sentence: string, text = ''): string =>
  sentence.endsWith('.') ? `${name} ${sentence}` : `${name} ${sentence}: ${text}`

/** The error of a classified response. Details of the classification override those of the response. */
export const classified = (
  name: string,
  [errorClass, sentence, more]: Classification,
  info: ErrorInfo = {},
  text: string = info.detail ?? '',
): PlatformError => new PlatformError(errorClass, messageOf(name, sentence, text), { ...info, ...more })
