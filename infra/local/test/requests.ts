/** A request to a stand-in that follows no redirect; a body of JSON is parsed. */
export async function sendRequest(address: string, init: RequestInit = {}) {
  const answer = await fetch(address, { redirect: 'manual', ...init })
  const responseText = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  const body = /json/.test(type) && responseText !== '' ? JSON.parse(responseText) : responseText
  return { status: answer.status, type, headers: answer.headers, body }
}

export const form = (fields: Record<string, string>) => new URLSearchParams(fields)

export const json = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const basic = (app: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`,
})

export const redirect_uri = 'https://service.test/back'

/** Approves on a page; returns the code, or the error. */
export async function approve(address: string, query: Record<string, string>) {
  const authorization = { response_type: 'code', redirect_uri, ...query }
  const sent = await sendRequest(`${address}?${form(authorization)}`, {
    method: 'POST',
    body: form({ answer: 'allow' }),
  })
  const back = sent.headers.get('location')
  return back === null ? `${sent.status} ${sent.body}` : (new URL(back).searchParams.get('code') ?? '')
}
