/** Meta's error body, as a fault answers it. */
export const metaError = (code: number, subcode?: number, message = 'The words of Meta', more: object = {}) => {
  const numbers = { code, ...(subcode === undefined ? {} : { error_subcode: subcode }) }
  return {
    fault: 'status' as const,
    status: 400,
    body: { error: { message, type: 'OAuthException', ...numbers, ...more } },
  }
}
