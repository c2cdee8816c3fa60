/** What the page that led here says, such as the outcome of a login. The address of the console shows it no more. */
export const arrival = new URLSearchParams(location.search)
if (arrival.size > 0) {
  const hash = arrival.has('status') ? '#/accounts' : location.hash
  history.replaceState(null, '', `${location.pathname}${hash}`)
}
