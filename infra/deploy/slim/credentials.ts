/** The credentials of a function, as Lambda sets them; the SDK's default chain would try eight other providers. */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new Error('there are no credentials of AWS')
  const sessionToken = process.env['AWS_SESSION_TOKEN']
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
