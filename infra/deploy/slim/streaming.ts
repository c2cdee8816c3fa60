/** Streams of events and WebSockets (models that talk while they think): our call of a model is answered once. */
export const eventStreamPayloadHandlerProvider = () => undefined
export const resolveEventStreamConfig = <T>(input: T): T => input
export const resolveWebSocketConfig = <T>(input: T): T => input
const noPlugin = () => ({ applyToStack: () => {} })

export { noPlugin as getEventStreamPlugin, noPlugin as getWebSocketPlugin }
