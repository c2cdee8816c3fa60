const conflicts = 'infra/local/test/engines/table/conflicts.test.ts'
const throttling = 'infra/local/test/engines/table/throttling.test.ts'
const trouble = 'test/journeys/table-trouble.fault.ts'
const wire = 'test/support/table-wire.ts'

/**
 * The errors of the operations that the service uses, and the codes of cancelled transactions (API reference, "Errors" of
 * each operation, "Common Errors", and TransactWriteItems), by what shows them: the oracle, a test where DynamoDB Local
 * cannot, or nothing, because the service's table cannot have them.
 */
export const errors: Readonly<Record<string, 'oracle' | { file: string } | { never: string }>> = {
  ConditionalCheckFailed: 'oracle',
  ConditionalCheckFailedException: 'oracle',
  IdempotentParameterMismatchException: 'oracle',
  InternalServerError: { file: wire },
  ItemCollectionSizeLimitExceeded: { never: 'the table has no local index' },
  ItemCollectionSizeLimitExceededException: { never: 'the table has no local index' },
  LimitExceededException: { never: 'the service makes and changes no tables' },
  ProvisionedThroughputExceeded: { file: trouble },
  ProvisionedThroughputExceededException: { file: trouble },
  ReplicatedWriteConflictException: { never: 'the table has no replica' },
  RequestLimitExceeded: { file: trouble },
  ResourceInUseException: 'oracle',
  ResourceNotFoundException: 'oracle',
  ThrottlingError: { file: throttling },
  ThrottlingException: { file: throttling },
  TransactionCanceledException: 'oracle',
  TransactionConflict: { file: conflicts },
  TransactionConflictException: { file: conflicts },
  TransactionInProgressException: { file: conflicts },
  ValidationError: 'oracle',
  ValidationException: 'oracle',
}

/** By what an error is shown. */
export const errorsOf = (by: 'oracle' | 'file' | 'never'): string[] =>
  Object.entries(errors).flatMap(([name, shown]) =>
    (typeof shown === 'string' ? shown : Object.keys(shown)[0]) === by ? [name] : [],
  )
