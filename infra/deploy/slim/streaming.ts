/** Event streams and WebSockets (models that stream their output): our model call has one response. */
export const eventStreamPayloadHandlerProvider = () => undefined
export const resolveEventStreamConfig = <T>(input: T): T => input
export const resolveWebSocketConfig = <T>(input: T): T => input
const noPlugin = () => ({ applyToStack: () => {} })

export { noPlugin as getEventStreamPlugin, noPlugin as getWebSocketPlugin }
