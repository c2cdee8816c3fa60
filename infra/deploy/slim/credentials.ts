/** The credentials of a function, as Lambda sets them; the SDK's own chain would look in eight other places. */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new Error('there are no credentials of AWS')
  const sessionToken = process.env['AWS_SESSION_TOKEN']
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
