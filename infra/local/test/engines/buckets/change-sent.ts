import type { S3Client } from '@aws-sdk/client-s3'

export interface SentRequest {
  path: string
  headers: Record<string, string>
  body: unknown
}

/** Lets a test see and change what a client sends after it was signed, as an intermediary could. */
export function changeSent(client: S3Client, change: (request: SentRequest) => void) {
  let headers: Record<string, string> = {}
  client.middlewareStack.add(
    (next) => async (args) => {
      // The SDK types the request of this step as unknown; it is its own HttpRequest.
      const request = args.request as SentRequest
      change(request)
      headers = request.headers
      return next(args)
    },
    // Signing has a higher priority in this step, so it is done by now.
    { step: 'finalizeRequest', priority: 'low' },
  )
  return { client, headers: () => headers }
}
