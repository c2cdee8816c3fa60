import type { JsonAnswer } from '../../iam/json.ts'

/** A refusal in AWS's own words; `type` is the exception the SDK throws. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
  answer(): JsonAnswer {
    return { status: this.status, headers: { 'x-amzn-errortype': this.type }, body: { message: this.message } }
  }
}
