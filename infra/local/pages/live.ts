/** Runs in the browser: requests the same page each second and replaces <main> if it changed, keeping folds open, and waits while a form is filled in. */
export const liveScript = `
const localTime = () => {
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleTimeString()
}
let shown
const refresh = async () => {
  if (document.hidden || document.activeElement?.closest('form')) return
  const answer = await fetch(location.href)
  const [markup = ''] = /<main[^]*<.main>/.exec(await answer.text()) ?? []
  const main = new DOMParser().parseFromString(markup, 'text/html').querySelector('main')
  if (!main || main.innerHTML === shown) return
  const first = shown === undefined
  shown = main.innerHTML
  const known = new Set([...document.querySelectorAll('article')].map((card) => card.id))
  const open = [...document.querySelectorAll('details[open]')].map((fold) => fold.id)
  for (const card of main.querySelectorAll('article')) if (!first && !known.has(card.id)) card.className = 'new'
  document.querySelector('main').replaceWith(document.adoptNode(main))
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  localTime()
}
const tick = () => refresh().catch(() => {}).finally(() => setTimeout(tick, 1000))
localTime()
tick()
`
