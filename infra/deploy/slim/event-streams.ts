const unused = (): never => {
  throw new Error('event streams are left out of the bundles')
}

/** Event streams (S3 Select and its like): no call of ours uses one. */
export const resolveEventStreamSerdeConfig = <T>(input: T): T => input
export const eventStreamSerdeProvider = () => ({ serialize: unused, deserialize: unused })
export const EventStreamSerde = unused
