/** What a request asks IAM for: one action on one resource. A request asks for as many of these as AWS checks for it. */
export interface Access {
  /** `service:Action`. */
  action: string
  /** An ARN. */
  resource: string
  /** The values of condition keys that this request has beyond the global ones. */
  context?: RequestContext
}

/** Condition keys in lower case with their values; a key that is not here is absent from the request. */
export type RequestContext = Readonly<Record<string, readonly string[]>>

/** Who makes a request. */
export type Principal =
  /** A session of a role, as Lambda and Scheduler create it (IAM guide, "Role session principals"). */
  | { kind: 'role'; arn: string; roleArn: string }
  /** A service of AWS on behalf of a resource of this account, if it names one. */
  | { kind: 'service'; service: string; sourceArn: string | undefined }
  /** The operator and the tests: an administrator of the account, whose requests are not checked. */
  | { kind: 'administrator'; arn: string }
