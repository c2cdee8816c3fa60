/** A browser on its way to a platform: the target of a link's page, and the cookie by which it is recognized on its return. */
export interface OnTheWay {
  address: string
  cookie: string
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** Opens the link that starts a connection, and presses the button of its page, like a person in a browser. */
export const submitConnectPage = async (authorizeUrl: string, cookie?: string): Promise<OnTheWay> => {
  const sent = cookie === undefined ? {} : { cookie }
  const page = await (await fetch(authorizeUrl, { headers: sent })).text()
  const [, ticket] = /name="ticket" value="([^"]+)"/.exec(page) ?? []
  const { origin } = new URL(authorizeUrl)
  const answer = await fetch(new URL('/connect-accounts', origin), {
    method: 'POST',
    body: new URLSearchParams(ticket === undefined ? {} : { ticket }),
    headers: { ...sent, origin },
  })
  const text = await answer.text()
  const [, address] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? []
  const [pair] = answer.headers.get('set-cookie')?.split(';') ?? []
  if (address === undefined || pair === undefined) {
    throw new Error(`${authorizeUrl} leads to no platform: ${answer.status} ${text}`)
  }
  return { address: unescaped(address), cookie: pair }
}
