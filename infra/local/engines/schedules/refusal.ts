const statuses = { ConflictException: 409, ResourceNotFoundException: 404, ValidationException: 400 }

/** A refusal that reaches the client as the SDK's typed exception. */
export class ScheduleRefusal extends Error {
  readonly type: keyof typeof statuses

  constructor(type: keyof typeof statuses, message: string) {
    super(message)
    this.type = type
  }

  get status(): number {
    return statuses[this.type]
  }
}
