// Query codes as in the SQS service model: SDK clients find the error class by them (`x-amzn-query-error`).
const queryCodes = {
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidAttributeName: 'InvalidAttributeName',
  InvalidAttributeValue: 'InvalidAttributeValue',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  InvalidMessageContents: 'InvalidMessageContents',
  InvalidParameterValueException: 'InvalidParameterValue',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  MissingRequiredParameterException: 'MissingParameter',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ReceiptHandleIsInvalid: 'ReceiptHandleIsInvalid',
  ResourceNotFoundException: 'ResourceNotFoundException',
  SerializationException: 'SerializationException',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  UnknownOperationException: 'InvalidAction',
}

/** A refusal that reaches the client as the SDK's typed exception. */
export class QueueRefusal extends Error {
  readonly type: keyof typeof queryCodes

  constructor(type: keyof typeof queryCodes, message: string) {
    super(message)
    this.type = type
  }

  get code(): string {
    return queryCodes[this.type]
  }
}

/** The error for a value that SQS rejects, worded as in SQS. */
export function refuseValue(parameter: string, value: unknown, reason: string): QueueRefusal {
  return new QueueRefusal(
    'InvalidParameterValueException',
    `Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`,
  )
}

export function refuseMissing(parameter: string): QueueRefusal {
  return new QueueRefusal('MissingRequiredParameterException', `The request must contain the parameter ${parameter}.`)
}
